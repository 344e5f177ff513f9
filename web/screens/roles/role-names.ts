import type { OutputOf } from '../../../contract/endpoint.ts'
import type { listRolesWithFunctions } from '../../../contract/roles.ts'
import { useLanguage } from '../../language.tsx'

/** A role with its permissions. */
export type Role = OutputOf<typeof listRolesWithFunctions>['roles'][number]

/** Returns a function that returns the name of a role in the current language. */
export function useRoleName(): (role: { roleName: string; roleNameEn: string }) => string {
  const { language } = useLanguage()
  return (role) => (language === 'ko' ? role.roleName : role.roleNameEn)
}
