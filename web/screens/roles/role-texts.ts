import { roles as en } from '../../../contract/messages/en/roles.ts'
import { roles as ko } from '../../../contract/messages/ko/roles.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of roles and permissions, which load with the screens that show them. */
export const useRoleTexts = createTexts({ ko, en })
