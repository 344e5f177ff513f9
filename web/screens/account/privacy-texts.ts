import { privacy as en } from '../../../contract/messages/en/privacy.ts'
import { privacy as ko } from '../../../contract/messages/ko/privacy.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of the privacy notice, which load with the screens that show it. */
export const usePrivacyTexts = createTexts({ ko, en })
