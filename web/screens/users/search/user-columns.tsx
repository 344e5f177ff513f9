import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { listUsers } from '../../../../contract/users.ts'
import { usePortalMessages } from '../../../language.tsx'
import { namesOf, useCustomFields } from '../../../forms/custom-fields.ts'
import { columnsOf, dayOf, formatPhone } from '../../../lists/columns.ts'
import { EmailAddress } from '../../../lists/email-address.tsx'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import { Badge } from '../../../ui/badge.tsx'
import layout from '../../../ui/layout.module.css'

/** Row of the user list. */
export type UserRow = OutputOf<typeof listUsers>['users'][number]

/**
 * Returns the columns of the user search: the default ones, and optional ones that the user may add
 * (rules/users#more-user-columns). 'compact' has five columns without ID and registration date. 'withdrawn' shows when,
 * by whom and why an account was withdrawn.
 */
export function useUserColumns(shape: 'usual' | 'compact' | 'withdrawn' = 'usual'): ListColumn<UserRow>[] {
  const compact = shape === 'compact'
  const customFields = useCustomFields(shape === 'usual')
  const headers = { ...usePortalMessages().users.search.columns, ...namesOf(customFields) }
  const { text, column } = columnsOf<UserRow, keyof typeof headers>(headers)
  const { approved } = usePortalMessages().users.form
  const isSortable = true
  const extra = (key: keyof typeof headers, width: number) => text(key, { width, isSortable, isExtra: true })
  // The date, with the moment behind it.
  const day = (key: 'registeredAt' | 'lastLoginAt', isExtra: boolean) =>
    column(key, (row) => row[key] !== '' && <span title={row[key]}>{dayOf(row[key])}</span>, {
      width: 160,
      isSortable,
      isExtra,
    })

  const byOf = useWithdrawnBy()

  const number = text('rowNumber', { width: compact ? 64 : 84, align: 'center', isRequired: true })
  const name = column('name', (row) => (row.suspended ? <SuspendedName name={row.name} /> : row.name), {
    isSortable,
    isRowHeader: true,
    isRequired: true,
    ...(!compact && { width: 170 }),
  })
  const affiliation = text('affiliationName', { isSortable })
  const phone = column('phoneNumber', (row) => formatPhone(row.phoneNumber), {
    isSortable,
    width: compact ? 136 : 160,
  })
  const approval = column(
    'approval',
    (row) => <Badge tone={row.approval === approved ? 'positive' : 'warning'}>{row.approval}</Badge>,
    { isSortable, width: compact ? 146 : 160, align: 'center' },
  )
  if (shape === 'compact') return [number, name, affiliation, phone, approval]
  if (shape === 'withdrawn') {
    return [
      number,
      text('userId', { width: 170, isSortable }),
      name,
      affiliation,
      phone,
      column('withdrawnAt', (row) => dayOf(row.withdrawnAt ?? ''), { width: 130, isSortable }),
      column('withdrawnBy', byOf, { width: 190 }),
      column('withdrawnReason', (row) => row.withdrawnReason || '–'),
    ]
  }
  return [
    number,
    text('userId', { width: 190, isSortable }),
    name,
    affiliation,
    text('teamName', { width: 200, isExtra: true }),
    phone,
    day('registeredAt', false),
    approval,
    extra('position', 120),
    column('email', ({ email }) => <EmailAddress email={email} />, {
      width: 230,
      isSortable,
      isExtra: true,
      wraps: true,
    }),
    extra('roleName', 130),
    extra('partnerCode', 150),
    extra('validFrom', 130),
    extra('validTo', 130),
    day('lastLoginAt', true),
    text('employeeNumber', { width: 140, isExtra: true }),
    ...customFields.map(({ slot }) => text(slot, { width: 160, isExtra: true })),
  ]
}

/** Shows a name with the badge of a suspension. A long name is cut off (rules/users#suspended-in-the-list). */
function SuspendedName({ name }: { name: string }) {
  const { suspended } = usePortalMessages().users.account.states
  return (
    <span className={layout.row}>
      <span className={layout.ellipsis} title={name}>
        {name}
      </span>
      <Badge tone="danger">{suspended}</Badge>
    </span>
  )
}

/**
 * Returns a function that names who withdrew an account: the owner, an administrator by name and ID, or unknown without
 * an ID.
 */
export function useWithdrawnBy() {
  const t = usePortalMessages().users.withdrawn
  return ({ userId, withdrawnBy = '', withdrawnByName = '' }: Partial<UserRow>): string => {
    if (withdrawnBy === userId) return t.own
    return withdrawnBy === '' ? t.unknown : `${withdrawnByName} (${withdrawnBy})`
  }
}
