import { InputRefusal } from '../../http/error-response.ts'
import type { Call } from '../../http/handler.ts'

/**
 * Refuses a search text of one character, if the setting says so (rules/settings#name-search). Spaces and hyphens do
 * not count: the search for a number ignores them.
 * @param field name of the field in the input
 * @param wireName name of the field on the wire
 * @throws {InputRefusal} for one character
 */
export function requireNameLength(
  { services }: Pick<Call, 'services'>,
  text: string,
  field: string,
  wireName: string,
): void {
  if (services.settings.now().nameSearch === 'two' && Array.from(text.replaceAll(/[\s-]/g, '')).length === 1)
    throw new InputRefusal('nameTooShort', field, wireName)
}
