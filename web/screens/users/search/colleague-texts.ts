import { colleagues as en } from '../../../../contract/messages/en/colleagues.ts'
import { colleagues as ko } from '../../../../contract/messages/ko/colleagues.ts'
import { createTexts } from '../../../language.tsx'

export const useColleagueTexts = createTexts({ ko, en })
