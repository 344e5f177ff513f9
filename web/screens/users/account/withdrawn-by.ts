import type { UserRow } from '../search/user-columns.tsx'
import { usePortalMessages } from '../../../language.tsx'

/** Returns a function that says who closed an account: the user, or an administrator by name and ID. */
export function useWithdrawnBy() {
  const t = usePortalMessages().users.withdrawn
  return ({ userId, withdrawnBy = '', withdrawnByName = '' }: Partial<UserRow>): string => {
    if (withdrawnBy === userId) return t.own
    return withdrawnBy === '' ? t.unknown : `${withdrawnByName} (${withdrawnBy})`
  }
}
