import { scim as en } from '../../../contract/messages/en/scim.ts'
import { scim as ko } from '../../../contract/messages/ko/scim.ts'
import { createTexts } from '../../language.tsx'

export const useScimTexts = createTexts({ ko, en })
