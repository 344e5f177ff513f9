import { useQuery } from '@tanstack/react-query'
import { anyPassword } from '../../../contract/fields.ts'
import type { PasswordOwner } from '../../../contract/password-weakness.ts'

/** Weaknesses of a password, checked while the user types; undefined while they are unknown. */
interface Weakness {
  isCommon: boolean | undefined
  isPersonal: boolean | undefined
}

/**
 * Checks the rules on common and personal passwords (rules/account#password-rules) while the user types. The list of common
 * passwords is large, so it is loaded with the first character. Until then, or if loading fails, only the server checks.
 * @param person undefined if the page does not know the user, as in the forced change
 */
export function usePasswordWeakness(password: string, person: PasswordOwner | undefined): Weakness {
  const { data: rules } = useQuery({
    queryKey: ['password-weakness'],
    queryFn: () => import('../../../contract/password-weakness.ts'),
    enabled: password !== '',
    staleTime: Number.POSITIVE_INFINITY,
    // A module is no plain data to be compared.
    structuralSharing: false,
  })
  // A text that cannot be a password is rejected anyway, and searching it could take long.
  if (rules === undefined || !anyPassword.safeParse(password).success)
    return { isCommon: undefined, isPersonal: undefined }
  return {
    isCommon: rules.isCommonPassword(password),
    isPersonal: person && rules.isPersonalPassword(password, person),
  }
}
