import { useQuery } from '@tanstack/react-query'
import { anyPassword } from '../../../contract/fields.ts'
import type { PasswordOwner } from '../../../contract/password-weakness.ts'

/** What is known of a password while it is typed; undefined while nobody can tell. */
interface Weakness {
  isCommon: boolean | undefined
  isPersonal: boolean | undefined
}

/**
 * The rules on common and personal passwords (rules/account#password-rules) as the person types. The list of common
 * ones weighs, so it is loaded with the first character; until then, or when it cannot be, the server alone tells.
 * @param person undefined where the page does not know who it is, as in the forced change
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
  // A text that no password can be is refused anyway, and searching it could take long.
  if (rules === undefined || !anyPassword.safeParse(password).success)
    return { isCommon: undefined, isPersonal: undefined }
  return {
    isCommon: rules.isCommonPassword(password),
    isPersonal: person && rules.isPersonalPassword(password, person),
  }
}
