import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { recordId, timestamp } from '../fields.ts'
import { flag, line } from '../text-fields.ts'

/** The most passkeys of a user (rules/account#passkeys). */
export const PASSKEYS_MAX = 10

/** Maximum length of a passkey's name, in characters. */
export const PASSKEY_NAME_LENGTH = 60

/** Schema of the name that a user gives a passkey. */
export const passkeyName = line(PASSKEY_NAME_LENGTH)

/** Schema of the response of a device, as JSON: some kilobytes with today's keys and signatures. */
export const passkeyProof = line(8000)

/** A passkey as its user sees it. */
export const passkey = z.object({
  passkeyId: z.string(),
  passkeyName: z.string(),
  createdAt: timestamp,
  /** Empty if it was never used. */
  lastUsedAt: z.string(),
  /** False if it was made for another address of the portal: it works only there. */
  usable: flag,
})

/**
 * Begins the setup of a passkey and cancels an earlier setup. The passkey is set up when `confirmPasskey` has verified
 * it, within 10 minutes. PASSKEYS_UNAVAILABLE if the portal's address does not allow passkeys, PASSKEYS_FULL beyond
 * PASSKEYS_MAX.
 */
export const beginPasskey = endpoint({
  path: '/stm/v1/get/passkey',
  summary: 'Begin to set up a passkey',
  title: { ko: '패스키 등록 시작', en: 'Began to set up a passkey' },
  access: 'signed-in',
  confirmed: 'gate',
  output: z.object({
    /** PublicKeyCredentialCreationOptions of WebAuthn, as JSON. */
    passkeyOptions: z.string(),
    /** A suggested name: browser and system; empty if they are unknown. */
    passkeyName: z.string(),
  }),
  errors: ['PASSKEYS_UNAVAILABLE', 'PASSKEYS_FULL'],
  audit: 'none',
  personal: ['read', 'own'],
  perPerson: 'write',
  duringFactorSetUp: true,
})

/**
 * Sets up a passkey and notifies the user by email. Returns recovery codes, this one time, if the user has none left.
 * With the first second factor it also ends every other session. ENROLMENT_INVALID after 10 minutes or another setup,
 * PASSKEY_INVALID for a wrong response or a passkey that a user has already.
 */
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
    /** Empty if the user has recovery codes already. */
    recoveryCodes: z.array(z.string()),
  }),
  errors: ['PASSKEYS_UNAVAILABLE', 'PASSKEYS_FULL', 'ENROLMENT_INVALID', 'PASSKEY_INVALID'],
  audit: 'account.add-factor',
  personal: ['change', 'own'],
  limit: USUAL_LIMIT,
  duringFactorSetUp: true,
})

/**
 * Renames a passkey of the caller and notifies the caller by email. FACTOR_NOT_FOUND if the caller has no such passkey.
 */
export const renamePasskey = endpoint({
  path: '/stm/v1/upd/passkey',
  summary: 'Rename a passkey',
  title: { ko: '패스키 이름 변경', en: 'Renamed a passkey' },
  access: 'signed-in',
  input: z.strictObject({ passkeyId: recordId, passkeyName }),
  errors: ['FACTOR_NOT_FOUND'],
  audit: 'account.rename-factor',
  personal: ['change', 'own'],
})

/**
 * Removes a passkey of the caller and notifies the caller by email; FACTOR_NOT_FOUND if the caller has no such one.
 * With the last second factor the recovery codes are removed too; FACTOR_NEEDED if the role requires one.
 */
export const removePasskey = endpoint({
  path: '/stm/v1/del/passkey',
  summary: 'Remove a passkey',
  title: { ko: '패스키 삭제', en: 'Removed a passkey' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ passkeyId: recordId }),
  errors: ['FACTOR_NOT_FOUND', 'FACTOR_NEEDED'],
  audit: 'account.remove-factor',
  personal: ['change', 'own'],
})
