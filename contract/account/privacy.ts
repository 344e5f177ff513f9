import * as z from 'zod/mini'
import { endpoint, LOGIN_LIMIT } from '../endpoint.ts'
import { timestamp } from '../fields.ts'

/** The highest number of a version of the privacy notice. */
export const MAX_PRIVACY_VERSION = 1_000_000

/** Number of a version of the privacy notice: 1 for the first. */
export const privacyVersion = z
  .number({ error: 'required' })
  .check(z.int(), z.gte(1), z.lte(MAX_PRIVACY_VERSION))

/** Value for the current version of the privacy notice. */
export const PRESENT_PRIVACY = 0

/**
 * Returns a version of the privacy notice in the caller's language, 0 for the current one, with the days of all
 * versions (rules/settings#privacy-versions). PRIVACY_NOTICE_MISSING if it does not exist.
 */
export const readPrivacyNotice = endpoint({
  path: '/stm/v1/get/privacy',
  summary: 'Read the privacy notice',
  access: 'public',
  input: z.strictObject({
    privacyVersion: z.union([z.literal(PRESENT_PRIVACY), privacyVersion], 'required'),
  }),
  output: z.object({
    privacyVersion,
    /** Markdown. */
    noticeText: z.string(),
    publishedAt: timestamp,
    /** All versions, the newest first. */
    versions: z.array(z.object({ privacyVersion, publishedAt: timestamp })),
  }),
  errors: ['PRIVACY_NOTICE_MISSING'],
  audit: 'none',
  personal: 'none',
  // After a material change a whole office reads it concurrently.
  limit: LOGIN_LIMIT,
})

/**
 * Accepts the current version of the privacy notice for the caller (rules/account#privacy-acceptance).
 * PRIVACY_NOTICE_CHANGED for any other version.
 */
export const acceptPrivacyNotice = endpoint({
  path: '/stm/v1/ins/privacy',
  summary: 'Accept the privacy notice',
  title: { ko: '개인정보 처리방침 동의', en: 'Accepted the privacy notice' },
  access: 'signed-in',
  input: z.strictObject({ privacyVersion }),
  errors: ['PRIVACY_NOTICE_CHANGED'],
  audit: 'account.accept-privacy',
  auditsChangeOnly: true,
  personal: ['change', 'own'],
  duringPrivacyAcceptance: true,
})
