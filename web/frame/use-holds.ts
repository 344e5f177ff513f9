import { useQuery } from '@tanstack/react-query'
import { getAuthority } from '../../contract/common.ts'
import { type FunctionName, reachesAdministrators } from '../../contract/permissions.ts'
import { query } from '../api/query.ts'

/** What the person may do; undefined until it is known. The header asks; here is only looked what it was told. */
export function useMay(): (name: FunctionName) => boolean | undefined {
  const authority = useQuery({ ...query(getAuthority, {}), enabled: false })
  return (name) => authority.data?.functions.includes(name)
}

/** Whether the person's role holds a function, by what the header was told; false until then. */
export function useHolds(name: FunctionName): boolean {
  return useMay()(name) === true
}

/** Returns whether the user may change settings that affect administrators. Undefined until the header has loaded the functions. */
export function useReachesAdministrators(): boolean | undefined {
  const { data } = useQuery({ ...query(getAuthority, {}), enabled: false })
  return data && reachesAdministrators(data)
}
