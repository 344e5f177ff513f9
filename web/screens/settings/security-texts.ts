import { security as en } from '../../../contract/messages/en/security.ts'
import { security as ko } from '../../../contract/messages/ko/security.ts'
import { createTexts } from '../../language.tsx'

export const useSecurityTexts = createTexts({ ko, en })
