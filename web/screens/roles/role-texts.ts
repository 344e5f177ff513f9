import { roles as en } from '../../../contract/messages/en/roles.ts'
import { roles as ko } from '../../../contract/messages/ko/roles.ts'
import { createTexts } from '../../language.tsx'

export const useRoleTexts = createTexts({ ko, en })
