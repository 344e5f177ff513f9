import { refuse } from '../../../contract/errors.ts'
import { nameKey } from '../imports/index.ts'

/** The names of an affiliation in both languages. */
export interface Names {
  name: string
  nameEn: string
}

/** Returns both names. An empty English name is replaced by the Korean one. */
export const bothNames = ({ name, nameEn }: Names): Names => ({ name, nameEn: nameEn === '' ? name : nameEn })

/**
 * Refuses a Korean or English name that another affiliation has in either language.
 * @param taken names in use, as `nameKey` returns them
 * @throws {Refusal} AFFILIATION_NAME_TAKEN
 */
export function checkNames({ name, nameEn }: Names, taken: ReadonlySet<string>): void {
  if (taken.has(nameKey(name)) || taken.has(nameKey(nameEn))) refuse('AFFILIATION_NAME_TAKEN')
}

/**
 * Errors for the constraints that two users violate when they use a name concurrently, after `checkNames` has passed.
 */
export const TAKEN_NAMES = {
  codes_affiliation_name_ko: 'AFFILIATION_NAME_TAKEN',
  codes_affiliation_name_en: 'AFFILIATION_NAME_TAKEN',
} as const
