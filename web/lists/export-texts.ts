import { exports as en } from '../../contract/messages/en/exports.ts'
import { exports as ko } from '../../contract/messages/ko/exports.ts'
import { createTexts } from '../language.tsx'

/** Returns the texts of exports in the language of the user. */
export const useExportTexts = createTexts({ ko, en })
