import { security as en } from '../../../contract/messages/en/security.ts'
import { security as ko } from '../../../contract/messages/ko/security.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of the security settings, which load with their page. */
export const useSecurityTexts = createTexts({ ko, en })
