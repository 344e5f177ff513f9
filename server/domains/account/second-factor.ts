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
import { codesLeft, makeRecoveryCodes, newTotpSecret, otpauthOf, stepOf } from './factor-codes.ts'
import { endOtherAccess } from './sessions.ts'

/** Milliseconds after the secret was shown in which its first code is accepted. */
const ENROLMENT_MS = 10 * 60 * 1000

const aboutEnrolment = (userId: string) => `totp-enrolment ${userId}`

/** Returns the caller's app, passkeys and number of unused recovery codes (rules/account#second-factor). */
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
  const secret = newTotpSecret()
  const names = { issuer: services.settings.now().company, label: actor.userId }
  const text = JSON.stringify({ secret, at: now().getTime() })
  const enrolment = seal(services.keySecret, text, aboutEnrolment(actor.id)).toString('base64url')
  return { secret, otpauth: otpauthOf(secret, names), enrolment }
}

/**
 * Adds the app if its code is right (rules/account#authenticator-app), in place of an earlier app, and mails the user.
 * The first factor of a user ends their other sessions. Returns new recovery codes if the user has none left, else
 * none.
 * @throws {Refusal} ENROLMENT_INVALID, also after ENROLMENT_MS; SECOND_FACTOR_WRONG
 */
export const confirmTotp: Handler<typeof confirmEndpoint> = async (call, { enrolment, code }) => {
  const { actor, db, services, now } = call
  const text = unseal(services.keySecret, Buffer.from(enrolment, 'base64url'), aboutEnrolment(actor.id))
  if (text === null) return refuse('ENROLMENT_INVALID')
  const { secret, at } = JSON.parse(text) as { secret: string; at: number }
  if (now().getTime() - at > ENROLMENT_MS) refuse('ENROLMENT_INVALID')
  const step = stepOf(secret, code, now())
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
 * Removes the caller's app and mails the caller. With the last factor it deletes the recovery codes, or refuses.
 * @throws {Refusal} FACTOR_NOT_FOUND; FACTOR_NEEDED as `removeIdleCodes`
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
 * Replaces the caller's recovery codes by new ones, and mails the caller (rules/account#recovery-codes). The old ones
 * are invalid immediately.
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
