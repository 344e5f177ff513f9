import { useQuery } from '@tanstack/react-query'
import { getAuthority } from '../../contract/common.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import { query } from '../api/query.ts'

/** Whether the person's role holds a function, by what the header was told; false until then. */
export function useHolds(name: FunctionName): boolean {
  const authority = useQuery({ ...query(getAuthority, {}), enabled: false })
  return authority.data?.functions.includes(name) === true
}
