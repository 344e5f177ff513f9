import { CODE_GROUP } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { APPROVAL, type listUsers } from '../../../contract/users.ts'
import { useCodes } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'

/** A row of the user list. */
export type UserRow = OutputOf<typeof listUsers>['users'][number]

/**
 * The columns of the user search: the usual ones, then those that a person may add (rules/users#more-user-columns). The
 * compact ones are without ID and registration date.
 */
export function useUserColumns(compact = false): ListColumn<UserRow>[] {
  const headers = usePortalMessages().users.search.columns
  const approvals = useCodes(CODE_GROUP.approval, true)
  const approved = approvals.options.find(({ value }) => value === APPROVAL.approved)?.label
  const sortable = (key: keyof typeof headers) => ({ key, header: headers[key], isSortable: true })
  const text = (key: Exclude<keyof typeof headers, 'rowNumber'>, width: number): ListColumn<UserRow> => ({
    ...sortable(key),
    render: (row) => row[key],
    width,
    isExtra: true,
  })
  const day = (key: 'registeredAt' | 'lastLoginAt'): ListColumn<UserRow> => ({
    ...sortable(key),
    // 'YYYY-MM-DD HH:mm:ss' (rules/wire#times): the date, with the moment behind it.
    render: (row) => row[key] !== '' && <span title={row[key]}>{row[key].slice(0, 10)}</span>,
    width: 160,
  })

  const number: ListColumn<UserRow> = {
    key: 'rowNumber',
    header: headers.rowNumber,
    render: (row) => row.rowNumber,
    width: compact ? 64 : 84,
    align: 'center',
    isRequired: true,
  }
  const name: ListColumn<UserRow> = {
    ...sortable('name'),
    render: (row) => row.name,
    isRowHeader: true,
    isRequired: true,
    ...(!compact && { width: 170 }),
  }
  const affiliation: ListColumn<UserRow> = {
    ...sortable('affiliationName'),
    render: (row) => row.affiliationName,
  }
  const phone: ListColumn<UserRow> = {
    ...sortable('phoneNumber'),
    render: (row) => hyphenated(row.phoneNumber),
    width: compact ? 136 : 160,
  }
  const approval: ListColumn<UserRow> = {
    ...sortable('approval'),
    render: (row) => <Badge tone={row.approval === approved ? 'positive' : 'neutral'}>{row.approval}</Badge>,
    width: compact ? 146 : 160,
    align: 'center',
  }
  if (compact) return [number, name, affiliation, phone, approval]
  return [
    number,
    { ...text('userId', 190), isExtra: false },
    name,
    affiliation,
    phone,
    day('registeredAt'),
    approval,
    text('position', 120),
    text('email', 230),
    text('roleName', 130),
    text('partnerCode', 150),
    text('validFrom', 130),
    text('validTo', 130),
    { ...day('lastLoginAt'), isExtra: true },
  ]
}

/** 01012345678 as people write it; anything else as it is. */
function hyphenated(phone: string): string {
  return phone.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1-$2-$3')
}
