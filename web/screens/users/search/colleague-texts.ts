import { colleagues as en } from '../../../../contract/messages/en/colleagues.ts'
import { colleagues as ko } from '../../../../contract/messages/ko/colleagues.ts'
import { createTexts } from '../../../language.tsx'

/** Returns the texts of colleagues and their profile in the current language. */
export const useColleagueTexts = createTexts({ ko, en })
