const PHONE = /^(\d{3})(\d{4})(\d{4})$/

/** Formats a phone number with hyphens: 010-1234-5678. Other texts are returned unchanged. */
export const hyphenated = (phone: string): string => phone.replace(PHONE, '$1-$2-$3')

const MASKED_PHONE = /^\d{3}-\*{4}-\d{4}$/

/** Returns a phone number without its middle, as 010-****-5678. A masked number stays, any other text becomes ****. */
export function maskedPhone(phone: string): string {
  if (MASKED_PHONE.test(phone)) return phone
  return PHONE.test(phone) ? phone.replace(PHONE, '$1-****-$3') : '****'
}

/** Masks an email address, except two characters of its local part: ki***@example.com. */
export function maskedEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  return `${local.slice(0, 2)}***@${domain}`
}
