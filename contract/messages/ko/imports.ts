import { affiliationImport } from './affiliation-import.ts'
import { partnerImport } from './partner-import.ts'
import { userImport } from './user-import.ts'

/** Texts of the imports by noun. The server uses some of them; each page loads its own. */
export const imports = {
  ambiguous: '같은 이름이 둘 이상 있습니다. 코드로 입력해주세요.',
  regionChoices: (names: string) => `하나로 정할 수 없는 지역입니다. 다음 중 하나를 입력해주세요: ${names}`,
  users: userImport,
  partners: partnerImport,
  affiliations: affiliationImport,
}
