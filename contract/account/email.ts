import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { certificationCode, email } from '../fields.ts'

/**
 * Emails a code to the caller's new address, after the password re-entry (rules/account#own-e-mail). The response is
 * the same whether or not another account has the address. EMAIL_TAKEN only for the caller's current address,
 * TOO_MANY_TRIES for too many codes.
 */
export const certifyNewEmail = endpoint({
  path: '/stm/v1/email/certify/own',
  summary: 'Send a certification code to your new e-mail',
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ email }),
  errors: ['EMAIL_TAKEN', 'MAIL_UNAVAILABLE', 'TOO_MANY_TRIES'],
  audit: 'none',
  personal: 'none',
  mails: 'codeWritten',
  perPerson: 'mail',
  limit: USUAL_LIMIT,
})

/**
 * Changes the caller's own email to the verified one and notifies the previous address (rules/account#own-e-mail).
 * Cancels a correction that an administrator has requested. CERTIFICATION_FAILED for a wrong code, and if another
 * account has taken the address since.
 */
export const changeEmail = endpoint({
  path: '/stm/v1/upd/email',
  summary: 'Change your e-mail to a certified one',
  title: { ko: '내 이메일 변경', en: 'Changed their e-mail' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ email, certificationCode }),
  errors: ['CERTIFICATION_FAILED'],
  audit: 'account.change-email',
  personal: ['change', 'own'],
  mails: 'mailWritten',
  limit: { points: 20, seconds: 60 },
})
