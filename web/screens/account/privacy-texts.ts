import { privacy as en } from '../../../contract/messages/en/privacy.ts'
import { privacy as ko } from '../../../contract/messages/ko/privacy.ts'
import { createTexts } from '../../language.tsx'

export const usePrivacyTexts = createTexts({ ko, en })
