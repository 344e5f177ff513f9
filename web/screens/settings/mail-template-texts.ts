import { mailTemplates as en } from '../../../contract/messages/en/mail-templates.ts'
import { mailTemplates as ko } from '../../../contract/messages/ko/mail-templates.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of mail templates, which load with their page. */
export const useMailTemplateTexts = createTexts({ ko, en })
