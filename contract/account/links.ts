import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { line, newPassword } from '../fields.ts'

/** The purposes of an email link (rules/account#mailed-links). */
export const LINK = { invitation: 'INVITATION', email: 'EMAIL' } as const

/** Days for which an email link is valid. */
export const LINK_DAYS = 7

/** The most attempts to use a link. */
export const LINK_TRIES = 10

/** Schema of a token or a typed code: any line of up to 100 characters, because every invalid one gets the same response. */
const token = line(100)

/** Rate limit per client. A token cannot be guessed, and the users of one office may open their invitations together. */
const limit = { points: 300, seconds: 60 }

/**
 * Returns the purpose and the user of a link, and takes no attempt. Its page calls this without a session
 * (rules/account#mailed-links). LINK_INVALID for an unknown, used, replaced or expired link, and if its account is
 * closed.
 */
export const readLink = endpoint({
  path: '/stm/v1/get/link',
  summary: 'Read the purpose of a mailed link',
  title: { ko: '메일 링크 열기', en: 'Opened an e-mail link' },
  access: 'public',
  input: z.strictObject({ token }),
  output: z.object({
    kind: z.enum(Object.values(LINK)),
    userId: z.string(),
    /** The address to which the link was sent. */
    email: z.string(),
  }),
  errors: ['LINK_INVALID'],
  audit: 'none',
  personal: ['read', 'out.userId'],
  limit,
})

/**
 * Sets the first password of an account that an administrator created, and uses the link up (rules/account#invitation).
 * No session begins. LINK_INVALID like `readLink`; PASSWORD_COMMON or PASSWORD_PERSONAL for a weak password.
 */
export const acceptInvitation = endpoint({
  path: '/stm/v1/set/invitation',
  summary: 'Set the first password by an invitation',
  title: { ko: '초대 수락', en: 'Accepted an invitation' },
  access: 'public',
  input: z.strictObject({ token, password: newPassword }),
  output: z.object({ userId: z.string() }),
  errors: ['LINK_INVALID', 'PASSWORD_COMMON', 'PASSWORD_PERSONAL'],
  audit: 'account.accept-invitation',
  personal: ['change', 'out.userId'],
  limit,
})

/**
 * Saves the address that an administrator has entered for an account, and uses the link up; its owner makes the call
 * (rules/account#certified-correction). LINK_INVALID like `readLink`.
 */
export const confirmEmail = endpoint({
  path: '/stm/v1/set/email',
  summary: 'Confirm an e-mail by its mailed link',
  title: { ko: '메일 링크로 이메일 확인', en: 'Confirmed an e-mail by its link' },
  access: 'public',
  input: z.strictObject({ token }),
  errors: ['LINK_INVALID'],
  audit: 'account.change-email',
  personal: ['change', 'told'],
  limit,
})
