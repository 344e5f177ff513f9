import { affiliationImport } from './affiliation-import.ts'
import { partnerImport } from './partner-import.ts'
import { userImport } from './user-import.ts'

/** `ko/imports.ts` in English. */
export const imports = {
  ambiguous: 'More than one has this name. Please enter the code.',
  regionChoices: (names: string) => `This can be more than one region. Please enter one of these: ${names}`,
  users: userImport,
  partners: partnerImport,
  affiliations: affiliationImport,
}
