import { InputRefusal } from '../../http/error-response.ts'
import type { Call } from '../../http/handler.ts'

/** Returns whether the validity period of a user may have no end (rules/users#open-end). */
export const isEndOptional = ({ services }: Pick<Call, 'services'>): boolean =>
  services.settings.now().validityEnd === 'optional'

/**
 * Returns the last day of a validity period as the database stores it.
 * @param validTo '' for no end
 * @returns null for no end
 * @throws {InputRefusal} if there is no end and the setting requires one
 */
export function endOf(call: Pick<Call, 'services'>, validTo: string): string | null {
  if (validTo !== '') return validTo
  if (!isEndOptional(call)) throw new InputRefusal('required', 'validTo', 'EXPIRY_DATETIME_END')
  return null
}
