import { CODE_GROUP } from '../../../contract/common.ts'
import { APPROVAL } from '../../../contract/users.ts'
import { useCodes } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { UserRow } from './user-table.tsx'

/**
 * The columns of the user search: those of spec §2, then those that a person may add (issue 4). The compact ones
 * are without ID and registration date.
 */
export function useUserColumns(compact = false): ListColumn<UserRow>[] {
  const headers = usePortalMessages().users.search.columns
  const approvals = useCodes(CODE_GROUP.approval, true)
  const approved = approvals.options.find(({ value }) => value === APPROVAL.approved)?.label
  const sortable = (key: keyof typeof headers) => ({ key, header: headers[key], isSortable: true })
  const text = (key: Exclude<keyof typeof headers, 'NO'>, width: number): ListColumn<UserRow> => ({
    ...sortable(key),
    render: (row) => row[key],
    width,
    isExtra: true,
  })
  const day = (key: 'REGSTER_DATETIME' | 'LAST_LOGIN_DATETIME'): ListColumn<UserRow> => ({
    ...sortable(key),
    // 'YYYY-MM-DD HH:mm:ss' (decisions §2): the date, with the moment behind it.
    render: (row) => row[key] !== '' && <span title={row[key]}>{row[key].slice(0, 10)}</span>,
    width: 160,
  })

  const number: ListColumn<UserRow> = {
    key: 'NO',
    header: headers.NO,
    render: (row) => row.NO,
    width: compact ? 64 : 84,
    align: 'center',
    isRequired: true,
  }
  const name: ListColumn<UserRow> = {
    ...sortable('NAME'),
    render: (row) => row.NAME,
    isRowHeader: true,
    isRequired: true,
    ...(!compact && { width: 170 }),
  }
  const affiliation: ListColumn<UserRow> = { ...sortable('BELONGTO'), render: (row) => row.BELONGTO }
  const phone: ListColumn<UserRow> = {
    ...sortable('PHONE_NUMBER'),
    render: (row) => hyphenated(row.PHONE_NUMBER),
    width: compact ? 136 : 160,
  }
  const approval: ListColumn<UserRow> = {
    ...sortable('APPROVA'),
    render: (row) => <Badge tone={row.APPROVA === approved ? 'positive' : 'neutral'}>{row.APPROVA}</Badge>,
    width: compact ? 146 : 160,
    align: 'center',
  }
  if (compact) return [number, name, affiliation, phone, approval]
  return [
    number,
    { ...text('USER_ID', 190), isExtra: false },
    name,
    affiliation,
    phone,
    day('REGSTER_DATETIME'),
    approval,
    text('RANK', 120),
    text('E_MAIL', 230),
    text('AUTHORITYS', 130),
    text('PARTNER_CODE', 150),
    text('EXPIRY_DATETIME_START', 130),
    text('EXPIRY_DATETIME_END', 130),
    { ...day('LAST_LOGIN_DATETIME'), isExtra: true },
  ]
}

/** 01012345678 as people write it; anything else as it is. */
function hyphenated(phone: string): string {
  return phone.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1-$2-$3')
}
