import type { finishLogin as endpoint } from '../../../contract/account.ts'
import { FACTOR } from '../../../contract/account.ts'
import { Refusal, refuse } from '../../../contract/errors.ts'
import { networkOf } from '../../http/address.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { beginSession, loginRefusal } from './begin-session.ts'
import { endResets, lockFactors, type Proof, proofOf } from './factors.ts'
import { tellOfFactor } from './factor-mails.ts'
import { relyingParty } from './passkey-checks.ts'
import { passkeyProof } from './passkey-login.ts'
import { tryPassword } from './login-tries.ts'
import { readTicket, useTicket } from './tickets.ts'

/** Wrong second factors of one person, from wherever: five lock for a quarter of an hour, this many for a day. */
const FAILURES_PER_DAY = { points: 30, seconds: 24 * 3600 }

const lockedUntil = ({ retryAfterSeconds }: Refusal) =>
  new Refusal('SECOND_FACTOR_LOCKED', { retryAfterSeconds })

/** Finishes a login by the second factor (rules/account#second-factor); its wrong ones count with wrong passwords. */
export const finishLogin: Handler<typeof endpoint> = async (call, { ticket, factor, proof: typed }) => {
  const { db, services, address, now } = call
  const found = await readTicket(db, call, ticket)
  const { id, login_id: loginId } = found
  call.triesAs(loginId)
  call.touches([id])
  const refusal = loginRefusal(call, found)
  if (refusal !== null) refuse(refusal)
  const perDay = ['second-factor-failures', FAILURES_PER_DAY, `user ${id}`] as const
  const slowed = await services.limits.refusal(...perDay)
  if (slowed !== null) throw lockedUntil(slowed)

  let proof: Proof | null = null
  let clonedKey: string | undefined
  let token = ''
  const wrong = factor === FACTOR.passkey ? 'PASSKEY_INVALID' : 'SECOND_FACTOR_WRONG'
  const isRight = await tryPassword(
    db,
    loginId,
    async () => {
      const { challenge } = found
      proof =
        factor === FACTOR.passkey
          ? await passkeyProof(db, relyingParty(services.settings), { userId: id, proof: typed, challenge })
          : await proofOf(db, services.keySecret, id, { factor, proof: typed }, now())
      clonedKey = proof?.clonedKey
      return proof !== null && clonedKey === undefined
    },
    {
      knownFrom: found.known_here ? networkOf(address) : undefined,
      async onRight() {
        token = await db.transaction().execute(async (tx) => {
          await useTicket(tx, ticket)
          if ((await proof?.use(tx)) !== true) refuse(wrong)
          await endResets(tx, id)
          if (factor === FACTOR.recovery) await tellOfFactor(tx, call, await lockFactors(tx, id), 'codeUsed')
          return beginSession(tx, call, found, { factor })
        })
      },
      async onWrong() {
        await services.limits.use(...perDay).catch(() => {})
        if (clonedKey !== undefined) await reportClone(call, id, clonedKey)
      },
    },
  ).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'LOGIN_LOCKED') throw lockedUntil(error)
    throw error
  })
  if (!isRight) refuse(clonedKey !== undefined ? 'PASSKEY_CLONED' : wrong)
  services.mail.wake()
  return {
    sessionUid: token,
    userId: loginId,
    mustChangePassword: found.password_temporary,
    // They have just used one.
    mustSetUpFactor: false,
  }
}

/** Puts on record that a passkey was refused because it may have been copied, and tells whose it is. */
async function reportClone(call: Call<typeof endpoint>, userId: string, passkeyName: string): Promise<void> {
  const { db, services } = call
  await db.transaction().execute(async (tx) => {
    const owner = await lockFactors(tx, userId)
    await tellOfFactor(tx, call, owner, 'passkeyCloned', { passkeyName })
    const about = { target: owner.login_id, actorId: userId, detail: { factor: FACTOR.passkey, passkeyName } }
    await call.auditAs('account.factor-cloned', tx, about)
  })
  services.mail.wake()
}
