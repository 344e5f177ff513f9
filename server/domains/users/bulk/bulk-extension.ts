import { sql } from 'kysely'
import { extendedEnd } from '../queries.ts'
import type { ChangeOf } from './bulk.ts'

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

/** Returns the bulk change that extends each account by a year from its own end, as for one account (rules/users#extension). */
const extensionByYear: ChangeOf = async () => ({
  action: 'extend',
  asked: '',
  columns: { validTo: sql<string>`(${extendedEnd('users')})::date` },
  obstacleOf: ({ extendedTo }) => (extendedTo === '' ? 'ALREADY' : null),
  presentOf: ({ validTo, extendedTo }) => `${validTo} → ${extendedTo}`,
  costsAdmins: false,
  detailOf: ({ validTo, extendedTo }) => ({ validTo: { before: validTo, after: extendedTo } }),
})

/** Returns the extension to a day, or of each by a year for ''. */
export const extensionOf = (validTo: string): ChangeOf =>
  validTo === '' ? extensionByYear : extension(validTo)
