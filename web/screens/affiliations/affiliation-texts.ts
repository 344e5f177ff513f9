import { affiliationScreen as en } from '../../../contract/messages/en/affiliation-screen.ts'
import { affiliationScreen as ko } from '../../../contract/messages/ko/affiliation-screen.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of the affiliations page in the current language. */
export const useAffiliationTexts = createTexts({ ko, en })
