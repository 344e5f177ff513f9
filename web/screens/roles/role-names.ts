import type { OutputOf } from '../../../contract/endpoint.ts'
import type { listRolesWithFunctions } from '../../../contract/roles.ts'
import { useLanguage } from '../../language.tsx'

/** A role with what it may do. */
export type Role = OutputOf<typeof listRolesWithFunctions>['roles'][number]

/** The name of a role in the person's language. */
export function useRoleName(): (role: { roleName: string; roleNameEn: string }) => string {
  const { language } = useLanguage()
  return (role) => (language === 'ko' ? role.roleName : role.roleNameEn)
}
