import type { finishLogin as endpoint } from '../../../contract/account.ts'
import { FACTOR } from '../../../contract/account.ts'
import { Refusal, refuse } from '../../../contract/errors.ts'
import { networkOf } from '../../http/address.ts'
import type { Handler } from '../../http/handler.ts'
import { beginSession, loginRefusal } from './begin-session.ts'
import { lockFactors, type Proof, proofOf } from './factors.ts'
import { tellOfFactor } from './factor-mails.ts'
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
  let token = ''
  const isRight = await tryPassword(
    db,
    loginId,
    async () => {
      proof = await proofOf(db, services.keySecret, id, { factor, proof: typed }, now())
      return proof !== null
    },
    {
      knownFrom: found.known_here ? networkOf(address) : undefined,
      async onRight() {
        token = await db.transaction().execute(async (tx) => {
          await useTicket(tx, ticket)
          if ((await proof?.use(tx)) !== true) refuse('SECOND_FACTOR_WRONG')
          if (factor === FACTOR.recovery) await tellOfFactor(tx, call, await lockFactors(tx, id), 'codeUsed')
          return beginSession(tx, call, found, { factor })
        })
      },
      async onWrong() {
        await services.limits.use(...perDay).catch(() => {})
      },
    },
  ).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'LOGIN_LOCKED') throw lockedUntil(error)
    throw error
  })
  if (!isRight) refuse('SECOND_FACTOR_WRONG')
  services.mail.wake()
  return {
    sessionUid: token,
    userId: loginId,
    mustChangePassword: found.password_temporary,
    // They have just used one.
    mustSetUpFactor: false,
  }
}
