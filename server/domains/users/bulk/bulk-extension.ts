import { sql } from 'kysely'
import { APPROVAL } from '../../../../contract/users.ts'
import { extendedEnd } from '../queries.ts'
import type { ChangeOf } from './bulk.ts'
import type { ChosenPerson } from './bulk-people.ts'

/**
 * Returns the obstacle of an account that is not extended: NOT_APPROVED if it has no end and is not approved, otherwise
 * ALREADY.
 */
const whyNot = ({ validTo, approvalCode }: ChosenPerson) =>
  validTo === null && approvalCode !== APPROVAL.approved ? 'NOT_APPROVED' : 'ALREADY'

/**
 * Returns the bulk change that extends accounts to a day. Skips accounts that begin later (STARTS_LATER), end on this
 * day or later (ALREADY), or have no end (ALREADY, or NOT_APPROVED if they are not approved).
 */
const extension =
  (validTo: string): ChangeOf =>
  async () => ({
    action: 'extend',
    asked: validTo,
    columns: { validTo },
    obstacleOf(person) {
      if (person.validFrom !== null && person.validFrom > validTo) return 'STARTS_LATER'
      return person.validTo !== null && person.validTo < validTo ? null : whyNot(person)
    },
    presentOf: (person) => person.validTo ?? '',
    costsAdmins: false,
  })

/**
 * Bulk change that extends each account by a year from its own end, or from today if that has passed, at most to
 * NO_END, as for one account (rules/users#extension). Skips accounts that end on NO_END (ALREADY) or have no end
 * (ALREADY, or NOT_APPROVED if they are not approved).
 */
const extensionByYear: ChangeOf = async () => ({
  action: 'extend',
  asked: '',
  columns: { validTo: sql<string>`(${extendedEnd('users')})::date` },
  obstacleOf: (person) => (person.extendedTo === '' ? whyNot(person) : null),
  presentOf: ({ validTo, extendedTo }) => `${validTo} → ${extendedTo}`,
  costsAdmins: false,
  detailOf: ({ validTo, extendedTo }) => ({ validTo: { before: validTo, after: extendedTo } }),
})

/** Returns the bulk change that extends accounts to a day, or each by a year for ''. */
export const extensionOf = (validTo: string): ChangeOf =>
  validTo === '' ? extensionByYear : extension(validTo)
