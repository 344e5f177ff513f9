import { factors as en } from '../../../contract/messages/en/factors.ts'
import { factors as ko } from '../../../contract/messages/ko/factors.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of second factors, which load with the screens that show them. */
export const useFactorTexts = createTexts({ ko, en })
