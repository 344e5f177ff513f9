import { sso as en } from '../../../contract/messages/en/sso.ts'
import { sso as ko } from '../../../contract/messages/ko/sso.ts'
import { createTexts } from '../../language.tsx'

export const useSsoTexts = createTexts({ ko, en })
