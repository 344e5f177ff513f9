import { mentions as en } from '../../../../contract/messages/en/mentions.ts'
import { mentions as ko } from '../../../../contract/messages/ko/mentions.ts'
import { createTexts } from '../../../language.tsx'

/** Returns the texts of mentions in the language of the user. */
export const useMentionTexts = createTexts({ ko, en })
