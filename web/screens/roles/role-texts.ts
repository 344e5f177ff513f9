import { roles as en } from '../../../contract/messages/en/roles.ts'
import { type RoleTexts, roles as ko } from '../../../contract/messages/ko/roles.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the roles in the language in use: apart from the catalogue, they come with their page. */
export function useRoleTexts(): RoleTexts {
  return { ko, en }[useLanguage().language]
}
