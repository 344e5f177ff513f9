import { sso as en } from '../../../contract/messages/en/sso.ts'
import { sso as ko } from '../../../contract/messages/ko/sso.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of logins at identity providers, which load with the screens that show them. */
export const useSsoTexts = createTexts({ ko, en })
