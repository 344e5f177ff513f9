const PHONE = /^(\d{3})(\d{4})(\d{4})$/

/** A phone number as people write it: 010-1234-5678; what is none as it is. */
export const hyphenated = (phone: string): string => phone.replace(PHONE, '$1-$2-$3')

/** A phone number without its middle: 010-****-5678; of what is none nothing is told. */
export const maskedPhone = (phone: string): string =>
  PHONE.test(phone) ? phone.replace(PHONE, '$1-****-$3') : '****'

/** An e-mail address with two characters of its local part: ki***@example.com. */
export function maskedEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  return `${local.slice(0, 2)}***@${domain}`
}
