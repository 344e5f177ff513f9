import { InputRefusal } from '../../http/error-response.ts'
import type { Call } from '../../http/handler.ts'

/** Returns whether users may have a position: the company has no list, or it contains the position (rules/settings#positions). */
export const isPositionListed = ({ services }: Pick<Call, 'services'>, position: string): boolean => {
  const { positions } = services.settings.now()
  return positions.length === 0 || positions.includes(position)
}

/**
 * Refuses a position that the list of the company does not contain.
 * @param present the position that the user has now, which may stay
 * @throws {InputRefusal} for a position that is not listed
 */
export function requirePosition(call: Pick<Call, 'services'>, position: string, present?: string): void {
  if (position !== present && !isPositionListed(call, position))
    throw new InputRefusal('codeFormat', 'position', 'RANK')
}
