import { useQuery } from '@tanstack/react-query'
import { getAuthority } from '../../contract/common.ts'
import { type FunctionName, reachesAdministrators } from '../../contract/permissions.ts'
import { query } from '../api/query.ts'

/* Permissions of the user. The header loads them; these hooks only read its cached response, and send no request. */

/** Returns the user's role and permissions that the header has loaded; undefined until then. */
function useAuthority() {
  return useQuery({ ...query(getAuthority, {}), enabled: false }).data
}

/** Returns a function that looks up a permission of the user; its result is undefined until they are loaded. */
export function usePermissionLookup(): (name: FunctionName) => boolean | undefined {
  const authority = useAuthority()
  return (name) => authority?.functions.includes(name)
}

/** Returns whether the user has one of the permissions; false until they are loaded. */
export function useHasFunction(...names: readonly FunctionName[]): boolean {
  const may = usePermissionLookup()
  return names.some((name) => may(name) === true)
}

/**
 * Returns whether the user's role may administer administrators, and so change settings that affect them; undefined
 * until the permissions are loaded.
 */
export function useReachesAdministrators(): boolean | undefined {
  const authority = useAuthority()
  return authority && reachesAdministrators(authority)
}
