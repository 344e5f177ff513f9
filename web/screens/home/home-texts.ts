import { home as en } from '../../../contract/messages/en/home.ts'
import { home as ko } from '../../../contract/messages/ko/home.ts'
import { createTexts } from '../../language.tsx'

export const useHomeTexts = createTexts({ ko, en })
