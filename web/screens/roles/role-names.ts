import type { OutputOf } from '../../../contract/endpoint.ts'
import type { listRolesWithFunctions } from '../../../contract/roles.ts'
import { useLanguage } from '../../language.tsx'

/** A role with what it may do. */
export type Role = OutputOf<typeof listRolesWithFunctions>['ROLE_LIST'][number]

/** The name of a role in the person's language. */
export function useRoleName(): (role: { ROLE_NAME: string; ROLE_NAME_EN: string }) => string {
  const { language } = useLanguage()
  return (role) => (language === 'ko' ? role.ROLE_NAME : role.ROLE_NAME_EN)
}
