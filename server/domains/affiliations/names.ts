import { refuse } from '../../../contract/errors.ts'
import { nameKey } from '../../services/import-rows.ts'

/** What an affiliation is called in both languages. */
export interface Names {
  name: string
  nameEn: string
}

/** Without an English name the Korean one stands for both. */
export const bothNames = ({ name, nameEn }: Names): Names => ({ name, nameEn: nameEn === '' ? name : nameEn })

/** @throws {Refusal} AFFILIATION_NAME_TAKEN */
export function checkNames({ name, nameEn }: Names, taken: ReadonlySet<string>): void {
  if (taken.has(nameKey(name)) || taken.has(nameKey(nameEn))) refuse('AFFILIATION_NAME_TAKEN')
}

/** What the database says when two people give a name at once. */
export const TAKEN_NAMES = {
  codes_affiliation_name_ko: 'AFFILIATION_NAME_TAKEN',
  codes_affiliation_name_en: 'AFFILIATION_NAME_TAKEN',
} as const
