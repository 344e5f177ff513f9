import { isMobile } from '../../../contract/fields.ts'
import { InputRefusal } from '../../http/error-response.ts'
import type { Call } from '../../http/handler.ts'

/** Returns whether the phone number of a user may be a landline (rules/users#landlines). */
export const hasLandlines = ({ services }: Pick<Call, 'services'>): boolean =>
  services.settings.now().phoneNumbers === 'landline'

/**
 * Checks a phone number by the setting.
 * @param present the present number, which stays
 * @throws {InputRefusal} for a landline that the setting does not allow
 */
export function requirePhone(call: Pick<Call, 'services'>, phone: string, present?: string): void {
  if (!isMobile(phone) && phone !== present && !hasLandlines(call))
    throw new InputRefusal('phoneNumberFormat', 'phoneNumber', 'PHONE_NUMBER')
}

/** Returns the key of a message about a cell, which names the digits that the setting allows. */
export const phoneMessage = (message: string, mayBeLandline: boolean): string =>
  message === 'phoneNumberFormat' && mayBeLandline ? 'landlineFormat' : message
