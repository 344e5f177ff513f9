import { affiliationImport } from './affiliation-import.ts'
import { partnerImport } from './partner-import.ts'
import { userImport } from './user-import.ts'

/** Words of the imports by their noun: the server says some of them, a page has those of its own. */
export const imports = {
  users: userImport,
  partners: partnerImport,
  affiliations: affiliationImport,
}
