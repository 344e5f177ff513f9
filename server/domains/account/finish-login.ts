import type { Transaction } from 'kysely'
import {
  type checkFactor as checkEndpoint,
  FACTOR,
  type Factor,
  type finishLogin as endpoint,
} from '../../../contract/account.ts'
import { type ErrorCode, Refusal, refuse } from '../../../contract/errors.ts'
import { LOCKED } from '../../../contract/refusal-lists.ts'
import type { Database } from '../../db/types.ts'
import { networkOf } from '../../callers/client-address.ts'
import type { Call, Handler } from '../../http/handler.ts'
import {
  beginSession,
  loginRefusal,
  passwordLoginRefusal,
  readTicket,
  consumeTicket,
} from './begin-session.ts'
import { factorKey, clearFactorAttempts, countFactorAttempt } from './factor-tries.ts'
import { endResets, lockFactors, type Proof, findCodeProof } from './factors.ts'
import { tellOfFactor } from './factor-mails.ts'
import { relyingParty } from './passkey-checks.ts'
import { passkeyProof } from './passkey-login.ts'
import { mailPasswordDisabled } from './login-locks.ts'
import { countWrongFactor, verifyPasswordAttempt } from './login-attempts.ts'
import { type Account, findAccount } from './queries.ts'
import { trustDevice } from './trusted-devices.ts'
import { holdProvider, linkAtLogin } from './sso-request.ts'
import {
  findSessionChallenge,
  endByWrongFactors,
  saveFactorCheck,
  SESSION_TRIES,
  countFactorAttemptInSession,
} from './sessions.ts'

/** Part of a call that checks a second factor. */
type FactorCall = Pick<
  Call<typeof endpoint | typeof checkEndpoint>,
  'db' | 'services' | 'address' | 'language' | 'now' | 'requester' | 'auditAs'
>

/** Error codes with which `verifyPasswordAttempt` refuses a locked ID or a disabled password. */
const IS_LOCK: ReadonlySet<ErrorCode> = new Set(LOCKED)

/** Returns the refusal of a locked second factor, with the seconds to wait of another refusal. */
const lockedUntil = ({ retryAfterSeconds }: Refusal) =>
  new Refusal('SECOND_FACTOR_LOCKED', { retryAfterSeconds })

/**
 * Finishes a login by the second factor (rules/account#second-factor) and begins the session; trusts the device if the
 * user wants it and may. Wrong factors count as wrong passwords of the ID. The lock of the ID does not refuse this
 * step, because any stranger can cause it. Only the counts of this step refuse it, and only a client with the right
 * password can raise them.
 * @throws {Refusal} TICKET_INVALID; as `loginRefusal`, and after a login by password as `passwordLoginRefusal`;
 * SSO_STATE_INVALID if a login by a provider has a ticket to link another one; and as `tryToLogIn`, `beginSession` and
 * `linkAtLogin`
 */
export const finishLogin: Handler<typeof endpoint> = async (
  call,
  { ticket, trustDevice: isTrusted = false, ssoTicket, ...given },
) => {
  const account = await readTicket(call.db, call, ticket)
  const { loginId } = account
  call.triesAs(loginId)
  call.touches([account.id])
  const refusal = account.provider
    ? loginRefusal(call, account)
    : passwordLoginRefusal(call, account, ssoTicket)
  if (refusal !== null) refuse(refusal)
  // A new link needs the password.
  if (account.provider && ssoTicket !== undefined) refuse('SSO_STATE_INVALID')
  let token = ''
  await tryToLogIn(call, account, given, async (tx, proof) => {
    if (account.provider) await holdProvider(tx, account.provider.id)
    await consumeTicket(tx, ticket)
    const link = await linkAtLogin(tx, call, account.id, ssoTicket)
    await consumeProof(tx, call, account, given, proof)
    const isTrusting = isTrusted && (await trustDevice(tx, call, account.id, given.factor))
    const by = { ...given, madeAt: proof.madeAt, isTrusting }
    token = await beginSession(tx, call, account, by, { provider: account.provider, ...link })
  })
  return {
    sessionUid: token,
    userId: loginId,
    mustChangePassword: account.passwordTemporary,
    // The user has just used a second factor.
    mustSetUpFactor: false,
    mustAcceptPrivacy: account.mustAcceptPrivacy,
  }
}

/**
 * Reauthenticates a session by the second factor, with an audit row (rules/account#confirmation). Wrong ones count in the
 * session only, and SESSION_TRIES of them end it with a notification. A thief of the session does not have the password, and
 * must not lock the login of its owner. A recovery code and a cloned passkey are mailed to the caller.
 * @throws {Refusal} FACTOR_NOT_FOUND if the user has none; SECOND_FACTOR_WRONG; PASSKEY_INVALID; PASSKEY_CLONED;
 * SESSION_REQUIRED if the session has ended
 */
export const checkFactor: Handler<typeof checkEndpoint> = async (call, given) => {
  const { actor, address, db, services } = call
  const account = await findAccount(db, actor.userId, networkOf(address))
  if (account?.id !== actor.id || !account.hasSecondFactor) return refuse('FACTOR_NOT_FOUND')
  const tries = await countFactorAttemptInSession(db, actor.tokenHash)
  const challenge = await findSessionChallenge(db, actor.tokenHash)
  const proof = tries > SESSION_TRIES ? null : await proofIn(call, { ...account, challenge }, given)
  if (proof === null || proof.clonedKey !== undefined) {
    if (proof?.clonedKey !== undefined) await reportClone(call, actor.id, proof.clonedKey)
    if (tries >= SESSION_TRIES) {
      await db.transaction().execute((tx) => endByWrongFactors(tx, actor))
      return refuse('SESSION_REQUIRED')
    }
    return refuse(proof === null ? wrongOf(given) : 'PASSKEY_CLONED')
  }
  await db.transaction().execute(async (tx) => {
    await consumeProof(tx, call, account, given, proof)
    await saveFactorCheck(tx, actor.tokenHash, { ...given, madeAt: proof.madeAt, challenge })
    await call.audit(tx, { target: actor.userId, detail: { factor: given.factor }, records: null })
  })
  services.mail.wake()
  return {}
}

/** Second factor as the caller entered it. */
interface Given {
  factor: Factor
  proof: string
}

/** Returns the error code of a wrong second factor of this kind. */
const wrongOf = ({ factor }: Given) => (factor === FACTOR.passkey ? 'PASSKEY_INVALID' : 'SECOND_FACTOR_WRONG')

/**
 * Checks the second factor that the caller entered, and returns its proof. Does not use it up, and counts no attempt.
 * @returns null if it is wrong
 */
function proofIn(
  { db, services, now }: FactorCall,
  { id, challenge }: Account & { challenge: string | null },
  { factor, proof }: Given,
): Promise<Proof | null> {
  return factor === FACTOR.passkey
    ? passkeyProof(db, relyingParty(services.settings), { userId: id, proof, challenge })
    : findCodeProof(db, services.keySecret, id, { factor, proof }, now())
}

/**
 * Marks a right second factor as used. Cancels the open reset requests of the user, and mails the user if it was a
 * recovery code.
 * @throws {Refusal} PASSKEY_INVALID for a passkey, otherwise SECOND_FACTOR_WRONG, if it was used since it was checked
 */
async function consumeProof(
  tx: Transaction<Database>,
  call: FactorCall,
  { id }: Account,
  given: Given,
  proof: Proof,
): Promise<void> {
  if (!(await proof.use(tx))) refuse(wrongOf(given))
  await endResets(tx, id)
  if (given.factor === FACTOR.recovery) await tellOfFactor(tx, call, await lockFactors(tx, id), 'codeUsed')
}

/**
 * Checks the second factor of a login, counts a wrong one, and runs `onRight` for a right one. Mails the user if a
 * wrong one disables the password, or the passkey may be a copy. Wakes the mail job after a right one.
 * @param onRight runs in the transaction of the login, and must use the proof up
 * @throws {Refusal} SECOND_FACTOR_WRONG, PASSKEY_INVALID, PASSKEY_CLONED; SECOND_FACTOR_LOCKED with the seconds to wait
 */
async function tryToLogIn(
  call: FactorCall,
  account: Account & { challenge: string | null },
  given: Given,
  onRight: (tx: Transaction<Database>, proof: Proof) => Promise<void>,
): Promise<void> {
  const { db, services, address } = call
  const { id, loginId } = account
  const knownFrom = account.knownHere ? networkOf(address) : undefined
  const key = factorKey(id, account.passwordHash)

  let proof: Proof | null = null
  let clonedKey: string | undefined
  const isRight = await verifyPasswordAttempt(
    db,
    key,
    async () => {
      const retryAfterSeconds = await countFactorAttempt(db, id, account.passwordHash)
      // Only the codes of an app can be guessed, so the daily limit does not stop other factors.
      if (retryAfterSeconds > 0 && given.factor === FACTOR.totp)
        refuse('SECOND_FACTOR_LOCKED', { retryAfterSeconds })
      proof = await proofIn(call, account, given)
      clonedKey = proof?.clonedKey
      return proof !== null && clonedKey === undefined
    },
    {
      knownFrom,
      onRight: () =>
        db.transaction().execute(async (tx) => {
          await onRight(tx, proof ?? refuse(wrongOf(given)))
          await clearFactorAttempts(tx, id, key, knownFrom)
        }),
      async onWrong() {
        if (await countWrongFactor(db, loginId, knownFrom)) await mailPasswordDisabled(call, loginId)
        if (clonedKey !== undefined) await reportClone(call, id, clonedKey)
      },
    },
  ).catch((error: unknown) => {
    if (error instanceof Refusal && IS_LOCK.has(error.code)) throw lockedUntil(error)
    throw error
  })
  if (!isRight) refuse(clonedKey !== undefined ? 'PASSKEY_CLONED' : wrongOf(given))
  services.mail.wake()
}

/** Writes an audit row about a passkey that was refused because it may have been copied, and mails its owner. */
async function reportClone(call: FactorCall, userId: string, passkeyName: string): Promise<void> {
  const { db, services } = call
  await db.transaction().execute(async (tx) => {
    const owner = await lockFactors(tx, userId)
    await tellOfFactor(tx, call, owner, 'passkeyCloned', { passkeyName })
    await call.auditAs('account.factor-cloned', tx, {
      target: owner.loginId,
      actorId: userId,
      detail: { factor: FACTOR.passkey, passkeyName },
      records: [`user/${userId}`],
    })
  })
  services.mail.wake()
}
