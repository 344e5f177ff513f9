import { affiliationImport } from './affiliation-import.ts'
import { partnerImport } from './partner-import.ts'
import { userImport } from './user-import.ts'

/** Texts of the imports by noun. The server uses some of them; each page loads its own. */
export const imports = {
  ambiguous: '이 이름은 둘 이상입니다. 코드로 입력해주세요.',
  users: userImport,
  partners: partnerImport,
  affiliations: affiliationImport,
}
