import { sql } from 'kysely'
import { extendedEnd } from '../queries.ts'
import type { ChangeOf } from './bulk.ts'

/**
 * Returns the bulk change that extends accounts to a day. Skips accounts that are valid for longer or without an end
 * (ALREADY), and those that begin later (STARTS_LATER).
 */
const extension =
  (validTo: string): ChangeOf =>
  async () => ({
    action: 'extend',
    asked: validTo,
    columns: { validTo },
    obstacleOf(person) {
      if (person.validFrom !== null && person.validFrom > validTo) return 'STARTS_LATER'
      return person.validTo === null || person.validTo >= validTo ? 'ALREADY' : null
    },
    presentOf: (person) => person.validTo ?? '',
    costsAdmins: false,
  })

/**
 * Bulk change that extends each account by a year from its own end, or from today if that has passed, as for one
 * account (rules/users#extension). Skips accounts that have no end or NO_END.
 */
const extensionByYear: ChangeOf = async () => ({
  action: 'extend',
  asked: '',
  columns: { validTo: sql<string>`(${extendedEnd('users')})::date` },
  obstacleOf: ({ extendedTo }) => (extendedTo === '' ? 'ALREADY' : null),
  presentOf: ({ validTo, extendedTo }) => `${validTo} → ${extendedTo}`,
  costsAdmins: false,
  detailOf: ({ validTo, extendedTo }) => ({ validTo: { before: validTo, after: extendedTo } }),
})

/** Returns the bulk change that extends accounts to a day, or each by a year for ''. */
export const extensionOf = (validTo: string): ChangeOf =>
  validTo === '' ? extensionByYear : extension(validTo)
