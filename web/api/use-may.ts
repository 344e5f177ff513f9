import { useQuery } from '@tanstack/react-query'
import { getAuthority } from '../../contract/common.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import { isKnownToHold } from '../session.ts'
import { query } from './query.ts'

/** Whether the person holds a function, as far as is known: the header asks, and what it is told is only looked at here. */
export function useMay(name: FunctionName): boolean {
  const { data } = useQuery({ ...query(getAuthority, {}), enabled: false })
  return data?.functions.includes(name) ?? isKnownToHold(name)
}
