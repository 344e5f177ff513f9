import { isMobile } from '../../../contract/fields.ts'
import { InputRefusal } from '../../http/error-response.ts'
import type { Call } from '../../http/handler.ts'

/** Returns whether the phone number of a user may be a landline (rules/users#landlines). */
export const hasLandlines = ({ services }: Pick<Call, 'services'>): boolean =>
  services.settings.now().phoneNumbers === 'landline'

/**
 * Refuses a phone number that is a landline, unless the setting allows them.
 * @param present the number that the user has now, which may stay
 * @throws {InputRefusal} for a landline that the setting does not allow
 */
export function requirePhone(call: Pick<Call, 'services'>, phone: string, present?: string): void {
  if (!isMobile(phone) && phone !== present && !hasLandlines(call))
    throw new InputRefusal('phoneNumberFormat', 'phoneNumber', 'PHONE_NUMBER')
}

/**
 * Returns the key of a message about a cell of an import: if landlines are allowed, the message about a wrong phone
 * number names their digits, too.
 */
export const phoneMessage = (message: string, mayBeLandline: boolean): string =>
  message === 'phoneNumberFormat' && mayBeLandline ? 'landlineFormat' : message
