import { sql } from 'kysely'
import type {
  beginTotp as beginEndpoint,
  confirmTotp as confirmEndpoint,
  getFactors as getEndpoint,
  removeTotp as removeEndpoint,
  renewRecoveryCodes as renewEndpoint,
} from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { timeText, wireTime } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { seal, unseal } from '../../services/encryption.ts'
import { tellOfFactor } from './factor-mails.ts'
import { lockFactors, removeIdleCodes, saveTotp } from './factors.ts'
import { relyingParty } from './passkey-checks.ts'
import {
  codesLeft,
  makeRecoveryCodes,
  createTotpSecret,
  createOtpauthUrl,
  findTimeStep,
} from './factor-codes.ts'
import { endOtherAccess } from './sessions.ts'

/** Milliseconds after the secret was shown in which its first code is accepted. */
const ENROLMENT_MS = 10 * 60 * 1000

/** Returns the purpose to which the encryption binds the secret of a setup: this user. */
const aboutEnrolment = (userId: string) => `totp-enrolment ${userId}`

/**
 * Returns the caller's second factors (rules/account#second-factor): since when there is an app ('' if none) and its
 * last use, the passkeys and whether each works at the current URL, the number and date of unused recovery codes, and
 * the origin at which passkeys work ('' if none).
 */
export const getFactors: Handler<typeof getEndpoint> = async ({ db, actor, services }) => {
  const portal = relyingParty(services.settings)
  const passkeys = await db
    .selectFrom('passkeys')
    .select((eb) => [
      'id as passkeyId',
      'name as passkeyName',
      wireTime(eb.ref('createdAt')).as('createdAt'),
      timeText('lastUsedAt').as('lastUsedAt'),
      sql<boolean>`rp_id = ${portal?.rpId ?? ''}`.as('usable'),
    ])
    .where('userId', '=', actor.id)
    .orderBy('id')
    .execute()
  const row = await db
    .selectFrom('users as u')
    .leftJoin('totpSecrets as t', 't.userId', 'u.id')
    .select((eb) => [
      timeText('t.createdAt').as('totpSince'),
      timeText('t.lastUsedAt').as('totpLastUsedAt'),
      codesLeft(actor.id).as('codesLeft'),
      sql<string>`coalesce((${eb
        .selectFrom('recoveryCodes as c')
        .select(wireTime(sql<Date>`min(c.created_at)`).as('since'))
        .whereRef('c.userId', '=', 'u.id')}), '')`.as('codesSince'),
    ])
    .where('u.id', '=', actor.id)
    .executeTakeFirstOrThrow()
  return { ...row, passkeys, passkeysAt: portal?.origin ?? '' }
}

/**
 * Returns a new secret for an authenticator app and stores nothing. The page sends the secret back with the first code,
 * encrypted by the server (`enrolment`).
 */
export const beginTotp: Handler<typeof beginEndpoint> = async ({ actor, services, now }) => {
  const secret = createTotpSecret()
  const names = { issuer: services.settings.now().company, label: actor.userId }
  const text = JSON.stringify({ secret, at: now().getTime() })
  const enrolment = seal(services.keySecret, text, aboutEnrolment(actor.id)).toString('base64url')
  return { secret, otpauth: createOtpauthUrl(secret, names), enrolment }
}

/**
 * Adds the app if its code is right (rules/account#authenticator-app), in place of an earlier app, mails the user, and
 * writes the audit row. The first factor of a user ends their other access (`endOtherAccess`).
 * @returns new recovery codes if the user has no unused ones, else none
 * @throws {Refusal} ENROLMENT_INVALID for a secret of another user or after ENROLMENT_MS; SECOND_FACTOR_WRONG
 */
export const confirmTotp: Handler<typeof confirmEndpoint> = async (call, { enrolment, code }) => {
  const { actor, db, services, now } = call
  const text = unseal(services.keySecret, Buffer.from(enrolment, 'base64url'), aboutEnrolment(actor.id))
  if (text === null) return refuse('ENROLMENT_INVALID')
  const { secret, at } = JSON.parse(text) as { secret: string; at: number }
  if (now().getTime() - at > ENROLMENT_MS) refuse('ENROLMENT_INVALID')
  const step = findTimeStep(secret, code, now())
  if (step === null) return refuse('SECOND_FACTOR_WRONG')
  const recoveryCodes = await db.transaction().execute(async (tx) => {
    const owner = await lockFactors(tx, actor.id)
    if (!owner.hasFactor) await endOtherAccess(tx, actor.id, actor.tokenHash)
    await saveTotp(tx, services.keySecret, { userId: actor.id, secret, step })
    const codes = owner.codesLeft === 0 ? await makeRecoveryCodes(tx, actor.id) : []
    await tellOfFactor(tx, call, owner, 'appAdded')
    await call.audit(tx, { target: actor.userId, detail: { factor: 'TOTP' }, records: [`user/${actor.id}`] })
    return codes
  })
  services.mail.wake()
  return { recoveryCodes }
}

/**
 * Removes the caller's app, mails the caller, and writes the audit row. With the last factor it deletes the recovery
 * codes, or refuses if the user must have a factor.
 * @throws {Refusal} FACTOR_NOT_FOUND if the caller has no app; FACTOR_NEEDED as `removeIdleCodes`
 */
export const removeTotp: Handler<typeof removeEndpoint> = async (call) => {
  const { actor, db, services } = call
  await db.transaction().execute(async (tx) => {
    const owner = await lockFactors(tx, actor.id)
    const { numDeletedRows } = await tx
      .deleteFrom('totpSecrets')
      .where('userId', '=', actor.id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) refuse('FACTOR_NOT_FOUND')
    await removeIdleCodes(tx, actor.id)
    await tellOfFactor(tx, call, owner, 'appRemoved')
    await call.audit(tx, { target: actor.userId, detail: { factor: 'TOTP' }, records: [`user/${actor.id}`] })
  })
  services.mail.wake()
}

/**
 * Replaces the caller's recovery codes by new ones, mails the caller, and writes the audit row (rules/account#recovery-codes).
 * The old ones are invalid immediately.
 * @returns the new codes
 * @throws {Refusal} FACTOR_NOT_FOUND if the caller has no second factor
 */
export const renewRecoveryCodes: Handler<typeof renewEndpoint> = async (call) => {
  const { actor, db, services } = call
  const recoveryCodes = await db.transaction().execute(async (tx) => {
    const owner = await lockFactors(tx, actor.id)
    if (!owner.hasFactor) refuse('FACTOR_NOT_FOUND')
    const codes = await makeRecoveryCodes(tx, actor.id)
    await tellOfFactor(tx, call, owner, 'codesRenewed')
    await call.audit(tx, { target: actor.userId, records: [`user/${actor.id}`] })
    return codes
  })
  services.mail.wake()
  return { recoveryCodes }
}
