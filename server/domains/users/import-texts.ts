import { userImport as enImport } from '../../../contract/messages/en/user-import.ts'
import { userUpdate as enUpdate } from '../../../contract/messages/en/user-update.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type ImportTexts, userImport as koImport } from '../../../contract/messages/ko/user-import.ts'
import { type UpdateTexts, userUpdate as koUpdate } from '../../../contract/messages/ko/user-update.ts'

/** What files of users are told, new ones and registered ones: no part of the catalogue, which every page has. */
export const importTexts: Record<Language, ImportTexts & UpdateTexts> = {
  ko: { ...koImport, ...koUpdate },
  en: { ...enImport, ...enUpdate },
}
