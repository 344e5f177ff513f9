import { passkeys as en } from '../../../contract/messages/en/passkeys.ts'
import { passkeys as ko } from '../../../contract/messages/ko/passkeys.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of passkeys, which load with the screens that show them. */
export const usePasskeyTexts = createTexts({ ko, en })
