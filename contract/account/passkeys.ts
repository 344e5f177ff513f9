import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { recordId, timestamp } from '../fields.ts'
import { flag, line } from '../text-fields.ts'

/** How many passkeys somebody has at most (rules/account#passkeys). */
export const PASSKEYS_MAX = 10

/** The longest name of a passkey, in characters. */
export const PASSKEY_NAME_LENGTH = 60

/** What a person calls a passkey. */
export const passkeyName = line(PASSKEY_NAME_LENGTH)

/** What a device answered, as JSON: some kilobytes with the keys and signatures of today. */
export const passkeyProof = line(8000)

/** A passkey as its owner sees it. */
export const passkey = z.object({
  passkeyId: z.string(),
  passkeyName: z.string(),
  createdAt: timestamp,
  /** Empty: never. */
  lastUsedAt: z.string(),
  /** Not: it was made for another address of the portal, and works at that alone. */
  usable: flag,
})

/** Begins to set up a passkey. It counts once `confirmPasskey` has seen it, within 10 minutes; the one begun before ends. */
export const beginPasskey = endpoint({
  path: '/stm/v1/get/passkey',
  summary: 'Begin to set up a passkey',
  title: { ko: '패스키 등록 시작', en: 'Began to set up a passkey' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({}),
  output: z.object({
    /** PublicKeyCredentialCreationOptions of WebAuthn, as JSON. */
    passkeyOptions: z.string(),
    /** A name to begin with: browser and system; empty when unknown. */
    passkeyName: z.string(),
  }),
  errors: ['PASSKEYS_UNAVAILABLE', 'PASSKEYS_FULL'],
  audit: 'none',
  personal: ['read', 'own'],
  perPerson: 'write',
  duringFactorSetUp: true,
})

/** Sets a passkey up; with the first second factor come recovery codes, once. */
export const confirmPasskey = endpoint({
  path: '/stm/v1/ins/passkey',
  summary: 'Set up a passkey',
  title: { ko: '패스키 등록', en: 'Set up a passkey' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({
    passkeyName,
    /** RegistrationResponseJSON of WebAuthn. */
    proof: passkeyProof,
  }),
  output: z.object({
    /** Empty where there are some already. */
    recoveryCodes: z.array(z.string()),
  }),
  errors: ['PASSKEYS_UNAVAILABLE', 'PASSKEYS_FULL', 'ENROLMENT_INVALID', 'PASSKEY_INVALID'],
  audit: 'account.add-factor',
  personal: ['change', 'own'],
  perPerson: 'write',
  limit: USUAL_LIMIT,
  duringFactorSetUp: true,
})

/** Gives a passkey another name. */
export const renamePasskey = endpoint({
  path: '/stm/v1/upd/passkey',
  summary: 'Rename a passkey',
  title: { ko: '패스키 이름 변경', en: 'Renamed a passkey' },
  access: 'signed-in',
  input: z.strictObject({ passkeyId: recordId, passkeyName }),
  output: z.object({}),
  errors: ['FACTOR_NOT_FOUND'],
  audit: 'account.rename-factor',
  personal: ['change', 'own'],
  perPerson: 'write',
})

/** Removes a passkey; with the last second factor go the recovery codes. */
export const removePasskey = endpoint({
  path: '/stm/v1/del/passkey',
  summary: 'Remove a passkey',
  title: { ko: '패스키 삭제', en: 'Removed a passkey' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ passkeyId: recordId }),
  output: z.object({}),
  errors: ['FACTOR_NOT_FOUND', 'FACTOR_NEEDED'],
  audit: 'account.remove-factor',
  personal: ['change', 'own'],
  perPerson: 'write',
})
