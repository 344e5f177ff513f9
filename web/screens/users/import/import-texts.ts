import { userImport as en } from '../../../../contract/messages/en/user-import.ts'
import { userUpdate as updateEn } from '../../../../contract/messages/en/user-update.ts'
import { userImport as ko } from '../../../../contract/messages/ko/user-import.ts'
import { userUpdate as updateKo } from '../../../../contract/messages/ko/user-update.ts'
import { useCustomFields } from '../../../forms/custom-fields.ts'
import { createTexts, usePortalMessages } from '../../../language.tsx'
import { importHeadings } from './import-file.ts'

/** Returns the texts of an import of users in the current language. */
export const useUserImportTexts = createTexts({ ko, en })

/** Returns the texts of an update by file in the current language: those of the import, partly overridden. */
export const useUpdateTexts = createTexts({ ko: { ...ko, ...updateKo }, en: { ...en, ...updateEn } })

/** Returns the headings of an import file in the current language. */
export const useImportHeadings = () => importHeadings(usePortalMessages().users, useCustomFields())
