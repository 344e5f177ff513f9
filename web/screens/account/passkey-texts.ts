import { passkeys as en } from '../../../contract/messages/en/passkeys.ts'
import { passkeys as ko } from '../../../contract/messages/ko/passkeys.ts'
import { createTexts } from '../../language.tsx'

export const usePasskeyTexts = createTexts({ ko, en })
