import * as z from 'zod/mini'
import { privacyVersion } from '../account/privacy.ts'
import { endpoint } from '../endpoint.ts'
import { flag, multiline, recordVersion, timestamp } from '../fields.ts'

/** The most characters of a privacy notice. */
export const MAX_PRIVACY_NOTICE = 50_000

/** Mark of a text in the template that the company replaces by its own text. */
export const PRIVACY_PLACEHOLDER = '【'

/** Access policy of the calls about the privacy notice. */
const manage = { function: ['autho_setting_manage'] } as const

/** Text of a notice, in which every PRIVACY_PLACEHOLDER must be replaced. */
const noticeText = multiline(MAX_PRIVACY_NOTICE).check(
  z.trim(),
  z.refine((text) => !text.includes(PRIVACY_PLACEHOLDER), 'privacyPlaceholder'),
)

/** The fields of the form of a new version. */
export const privacyForm = z.strictObject({
  noticeText: noticeText.check(z.minLength(1, 'required')),
  /** '' for none: English pages show the Korean text. */
  noticeTextEn: noticeText,
  /** Whether users must accept this version before they continue. The first version always requires it. */
  isMaterial: flag,
})

/**
 * Returns the texts of the current version for its form, and the list of all versions with the numbers of users who
 * accepted them (rules/settings#privacy-notice).
 */
export const getPrivacyNotice = endpoint({
  path: '/set/v1/get/privacy',
  summary: 'Read the versions of the privacy notice',
  access: manage,
  output: z.object({
    /** '' before the first version. */
    noticeText: z.string(),
    noticeTextEn: z.string(),
    version: recordVersion,
    /** The newest first. */
    versions: z.array(
      z.object({
        privacyVersion,
        isMaterial: flag,
        publishedAt: timestamp,
        userId: z.string(),
        name: z.string(),
        /** Number of users who accepted exactly this version and have not been erased. */
        acceptedCount: z.number(),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Publishes a new version of the privacy notice. RECORD_CHANGED if another user has published since the caller read it.
 */
export const publishPrivacyNotice = endpoint({
  path: '/set/v1/ins/privacy',
  summary: 'Publish a version of the privacy notice',
  access: manage,
  confirmed: 'always',
  input: z.extend(privacyForm, { version: recordVersion }),
  output: z.object({ privacyVersion }),
  errors: ['RECORD_CHANGED'],
  audit: 'setting.privacy',
  personal: 'none',
})
