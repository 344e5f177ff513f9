import { sql } from 'kysely'
import type pg from 'pg'
import {
  type beginPasskey as beginEndpoint,
  type confirmPasskey as confirmEndpoint,
  FACTOR,
  PASSKEYS_MAX,
  type removePasskey as removeEndpoint,
  type renamePasskey as renameEndpoint,
} from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import { deviceOf } from '../../callers/user-agent.ts'
import type { Handler } from '../../http/handler.ts'
import { tellOfFactor } from './factor-mails.ts'
import { lockFactors, removeIdleCodes } from './factors.ts'
import { creationOptions, verifyNewPasskey, relyingParty } from './passkey-checks.ts'
import { makeRecoveryCodes } from './factor-codes.ts'
import { endOtherAccess } from './sessions.ts'

/** Seconds within which a passkey must be confirmed after its setup began (rules/account#passkeys). */
const ENROLMENT_SECONDS = 600

/** SQL condition that the setup of a passkey has not expired. */
const IS_LIVE = sql<boolean>`created_at > now() - make_interval(secs => ${sql.lit(ENROLMENT_SECONDS)})`

/** Returns ID and transports of all passkeys of a user, also those of an earlier URL of the portal. */
const ownPasskeys = (db: Db, userId: string) =>
  db.selectFrom('passkeys').select(['credentialId', 'transports']).where('userId', '=', userId).execute()

/**
 * Begins the setup of a passkey, and ends an earlier setup of the user (rules/account#passkeys). Stores a challenge
 * that is valid once, for this user, for ENROLMENT_SECONDS.
 * @returns the options for the browser, and the name of the device as a proposal for the name of the passkey
 * @throws {Refusal} PASSKEYS_UNAVAILABLE if browsers have no passkeys at the URL of the portal; PASSKEYS_FULL beyond
 * PASSKEYS_MAX
 */
export const beginPasskey: Handler<typeof beginEndpoint> = async ({ actor, db, services, userAgent }) => {
  const portal = relyingParty(services.settings) ?? refuse('PASSKEYS_UNAVAILABLE')
  const known = await ownPasskeys(db, actor.id)
  if (known.length >= PASSKEYS_MAX) refuse('PASSKEYS_FULL')
  const { company } = services.settings.now()
  const { challenge, json } = await creationOptions(portal, { ...actor, company }, known)
  await db
    .insertInto('passkeyEnrolments')
    .values({ userId: actor.id, challenge })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ challenge, createdAt: sql<Date>`now()` }),
    )
    .execute()
  return { passkeyOptions: json, passkeyName: deviceOf(userAgent) }
}

/**
 * Adds the passkey that the browser has created, mails the user, and writes the audit row. The first factor of a user
 * ends their other access (`endOtherAccess`).
 * @returns new recovery codes if the user has no unused ones, else none
 * @throws {Refusal} ENROLMENT_INVALID after ENROLMENT_SECONDS or another setup; PASSKEY_INVALID, also if a user has the
 * passkey already; PASSKEYS_UNAVAILABLE; PASSKEYS_FULL
 */
export const confirmPasskey: Handler<typeof confirmEndpoint> = async (call, { passkeyName, proof }) => {
  const { actor, db, services } = call
  const portal = relyingParty(services.settings) ?? refuse('PASSKEYS_UNAVAILABLE')
  const begun = await db
    .selectFrom('passkeyEnrolments')
    .select('challenge')
    .where('userId', '=', actor.id)
    .where(IS_LIVE)
    .executeTakeFirst()
  if (begun === undefined) return refuse('ENROLMENT_INVALID')
  const made = (await verifyNewPasskey(portal, proof, begun.challenge)) ?? refuse('PASSKEY_INVALID')
  const recoveryCodes = await db.transaction().execute(async (tx) => {
    const owner = await lockFactors(tx, actor.id)
    if (!owner.hasFactor) await endOtherAccess(tx, actor.id, actor.tokenHash)
    await consumeEnrolment(tx, actor.id, begun.challenge)
    if ((await ownPasskeys(tx, actor.id)).length >= PASSKEYS_MAX) refuse('PASSKEYS_FULL')
    const row = await tx
      .insertInto('passkeys')
      .values({ ...made, userId: actor.id, name: passkeyName, rpId: portal.rpId })
      .onConflict((conflict) => conflict.column('credentialId').doNothing())
      .returning('id')
      .executeTakeFirst()
    // A user already has the passkey.
    if (row === undefined) refuse('PASSKEY_INVALID')
    const codes = owner.codesLeft === 0 ? await makeRecoveryCodes(tx, actor.id) : []
    await tellOfFactor(tx, call, owner, 'passkeyAdded', { passkeyName })
    await call.audit(tx, {
      target: actor.userId,
      detail: { factor: FACTOR.passkey, passkeyName },
      records: [`user/${actor.id}`],
    })
    return codes
  })
  services.mail.wake()
  return { recoveryCodes }
}

/**
 * Deletes the challenge of a setup. Of two concurrent confirmations, the first one succeeds.
 * @throws {Refusal} ENROLMENT_INVALID for the other one
 */
async function consumeEnrolment(tx: Tx, userId: string, challenge: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeyEnrolments')
    .where('userId', '=', userId)
    .where('challenge', '=', challenge)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) refuse('ENROLMENT_INVALID')
}

/**
 * Renames a passkey of the caller. If the name changes, mails the caller and writes the audit row.
 * @throws {Refusal} FACTOR_NOT_FOUND if the caller has no such passkey
 */
export const renamePasskey: Handler<typeof renameEndpoint> = async (call, { passkeyId, passkeyName }) => {
  const { actor, db, services } = call
  await db.transaction().execute(async (tx) => {
    const owner = await lockFactors(tx, actor.id)
    const row = await tx
      .updateTable('passkeys as p')
      .from('passkeys as before')
      .set({ name: passkeyName })
      .whereRef('before.id', '=', 'p.id')
      .where('p.id', '=', passkeyId)
      .where('p.userId', '=', actor.id)
      .returning('before.name')
      .executeTakeFirst()
    if (row === undefined) return refuse('FACTOR_NOT_FOUND')
    if (row.name === passkeyName) return
    await tellOfFactor(tx, call, owner, 'passkeyRenamed', { passkeyName })
    const detail = { factor: FACTOR.passkey, passkeyName: { before: row.name, after: passkeyName } }
    await call.audit(tx, { target: actor.userId, detail, records: [`user/${actor.id}`] })
  })
  services.mail.wake()
}

/**
 * Removes a passkey of the caller, mails the caller, and writes the audit row. With the last factor it deletes the
 * recovery codes, or refuses if the user must have a factor.
 * @throws {Refusal} FACTOR_NOT_FOUND if the caller has no such passkey; FACTOR_NEEDED as `removeIdleCodes`
 */
export const removePasskey: Handler<typeof removeEndpoint> = async (call, { passkeyId }) => {
  const { actor, db, services } = call
  await db.transaction().execute(async (tx) => {
    const owner = await lockFactors(tx, actor.id)
    const row = await tx
      .deleteFrom('passkeys')
      .where('id', '=', passkeyId)
      .where('userId', '=', actor.id)
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('FACTOR_NOT_FOUND')
    await removeIdleCodes(tx, actor.id)
    await tellOfFactor(tx, call, owner, 'passkeyRemoved', { passkeyName: row.name })
    await call.audit(tx, {
      target: actor.userId,
      detail: { factor: FACTOR.passkey, passkeyName: row.name },
      records: [`user/${actor.id}`],
    })
  })
  services.mail.wake()
}

/** Deletes setups of passkeys that were not confirmed within ENROLMENT_SECONDS. */
export async function removeOldEnrolments(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from passkey_enrolments where created_at < now() - make_interval(secs => $1)`, [
    ENROLMENT_SECONDS,
  ])
}
