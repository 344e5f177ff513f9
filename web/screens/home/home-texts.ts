import { home as en } from '../../../contract/messages/en/home.ts'
import { home as ko } from '../../../contract/messages/ko/home.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of the home page, which load with it. */
export const useHomeTexts = createTexts({ ko, en })
