import { scim as en } from '../../../contract/messages/en/scim.ts'
import { scim as ko } from '../../../contract/messages/ko/scim.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of provisioning, which load with its dialog. */
export const useScimTexts = createTexts({ ko, en })
