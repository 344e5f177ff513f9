import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { login } from '../../../contract/account.ts'
import { CODE_GROUP, listCodes } from '../../../contract/common.ts'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import { Refusal } from '../../../contract/errors.ts'
import { issueKey } from '../../../contract/keys.ts'
import {
  BULLET,
  createNotice,
  FILE_LINKS_PATH,
  listNotices,
  uploadFile,
  UPLOADS_PATH,
} from '../../../contract/notices.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { untilBlocked } from '../../../dev/test-kit/locks.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { PASSWORD, type TestUser } from '../../../dev/test-kit/people.ts'
import { sealInput } from '../../../dev/test-kit/seal.ts'
import { createAdmission } from './admission.ts'

/* More calls than there are connections (rules/running#load). */

const maru = useMaru()
const hasty = useMaru({}, { maxWaitMs: 1 })

/** Blocks every read of users, and so every call, until the caller releases it. */
async function holdUp({ database }: typeof maru): Promise<() => Promise<void>> {
  const locker = new pg.Client(database.pool.options)
  await locker.connect()
  await locker.query('begin; lock table users in access exclusive mode')
  return async () => {
    await untilBlocked(locker)
    await locker.end()
  }
}

const list = ({ session }: TestUser) => maru.call(listNotices, { page: 1, perPage: 4 }, { session })

test('answers two hundred concurrent connections of one user', async () => {
  const { session } = await maru.createUser()
  await maru.app.ready()
  maru.app.server.listen(0, '127.0.0.1')
  await once(maru.app.server, 'listening')
  const { port } = maru.app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const call = request({
        agent,
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: API_BASE + listNotices.path,
        headers: { 'content-type': 'application/json', [SESSION_HEADER]: session },
      })
      call.end(sealInput(listNotices, { page: 1, perPage: 4 }))
      const [answer] = (await once(call, 'response')) as [IncomingMessage]
      for await (const _ of answer);
      return answer.statusCode
    }),
  )
  agent.destroy()
  expect(new Set(statuses)).toEqual(new Set([200]))
})

/**
 * Returns a function that lists at which positions a user's session was looked up. The lookup is the first query of a
 * call, so it shows the order.
 */
function watchTurns() {
  const looks = vi.spyOn(maru.database.pool, 'query')
  onTestFinished(() => looks.mockRestore())
  return (person: TestUser) => {
    const hash = createHash('sha256').update(person.session).digest()
    return (looks.mock.calls as unknown as [{ values?: unknown[] }][]).flatMap(([{ values }], index) =>
      Buffer.isBuffer(values?.[0]) && values[0].equals(hash) ? [index] : [],
    )
  }
}

const places = () => maru.database.pool.options.max

describe('a flood by one person', () => {
  test("leaves another person's calls their turn", async () => {
    const [flooder, other] = [await maru.createUser(), await maru.createUser()]
    // Known to the server, as anybody is after the first call.
    for (const person of [flooder, other]) expect((await list(person)).status).toBe(200)
    const goOn = await holdUp(maru)
    const turnsOf = watchTurns()
    const flood = Array.from({ length: 100 }, () => list(flooder))
    const theirs = Array.from({ length: 3 }, () => list(other))
    await goOn()
    await Promise.all([...flood, ...theirs])
    // Those that had their turn already, then one of each.
    const third = turnsOf(other)[2] ?? Number.NaN
    expect(turnsOf(flooder).filter((turn) => turn < third).length).toBeLessThanOrEqual(places() + 3)
    expect(turnsOf(flooder)).toHaveLength(100)
  })

  test('queues a flood of made-up sessions as one queue, that of its address', async () => {
    const other = await maru.createUser()
    expect((await list(other)).status).toBe(200)
    const goOn = await holdUp(maru)
    const turnsOf = watchTurns()
    const flood = Array.from({ length: 100 }, (_, n) =>
      maru.call(listNotices, { page: 1, perPage: 4 }, { session: `made-up-${n}`, address: '10.9.9.9' }),
    )
    const theirs = list(other)
    await goOn()
    await Promise.all([...flood, theirs])
    expect(turnsOf(other)[0]).toBeLessThanOrEqual(places() + 1)
  })

  test('does not delay signed-in users during a flood of logins', async () => {
    const person = await maru.createUser()
    const locker = new pg.Client(maru.database.pool.options)
    await locker.connect()
    // Logins count their attempts in this table; lists do not read it.
    await locker.query('begin; lock table rate_limits in access exclusive mode')
    const logins = Array.from({ length: 40 }, () =>
      maru.call(login, { loginId: person.userId, password: PASSWORD }),
    )
    await untilBlocked(locker)
    expect((await list(person)).status).toBe(200)
    const codes = { codeGroup: CODE_GROUP.affiliation }
    expect((await maru.call(listCodes, codes, { session: person.session })).status).toBe(200)
    await locker.end()
    expect(new Set((await Promise.all(logins)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})

test('queues a few logins from an attacked address and refuses the rest unchecked', async () => {
  const person = await maru.createUser()
  const from = (address: string, password: string) =>
    maru.call(login, { loginId: person.userId, password }, { address })
  expect((await from('10.7.7.7', 'wrong-One-2026')).code).toBe('LOGIN_FAILED')
  const locker = new pg.Client(maru.database.pool.options)
  await locker.connect()
  await locker.query('begin; lock table rate_limits in access exclusive mode')
  const refused: unknown[] = []
  const tries = Array.from({ length: 20 }, async () => {
    const answer = await from('10.7.7.7', PASSWORD)
    if (answer.status === 429) refused.push([answer.code, answer.headers['retry-after']])
    return answer.status
  })
  const elsewhere = from('10.7.7.8', PASSWORD)
  await untilBlocked(locker)
  // One password is being checked, five logins are queued.
  await expect.poll(() => refused).toEqual(Array.from({ length: 14 }, () => ['TOO_MANY_TRIES', '5']))
  await locker.end()
  expect((await elsewhere).status).toBe(200)
  // The right password is accepted from there as well.
  expect((await Promise.all(tries)).filter((status) => status === 200)).toHaveLength(6)
})

test('serves a new caller before repeated ones in a crowd, which share one slot', async () => {
  const NEWCOMER = '10.5.0.1'
  const admission = createAdmission(20)
  const running: { from: string; end: () => void }[] = []
  let isOver = false
  const ask = async (from: string) => {
    const call = { ip: from, headers: {}, raw: { socket: { destroyed: false } } }
    const answer = admission.inTurn(call as unknown as FastifyRequest, login, async () => {
      if (isOver) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const one = { from, end: () => (running.splice(running.indexOf(one), 1), resolve()) }
      running.push(one)
      await promise
      if (from !== NEWCOMER) throw new Refusal('LOGIN_FAILED')
    })
    await answer.catch(() => {})
  }
  const endOne = async () => {
    running.find(({ from }) => from !== NEWCOMER)?.end()
    await new Promise(setImmediate)
  }
  // One of the five slots is reserved for known users.
  const calls = Array.from({ length: 120 }, (_, n) => ask(`10.4.0.${n % 60}`))
  expect([running.length, admission.waiting()]).toEqual([4, 116])
  calls.push(ask(NEWCOMER))
  await endOne()
  expect(running.at(-1)?.from).toBe(NEWCOMER)
  // Running calls continue; the next slot goes to the newcomer, and all the others share one slot.
  for (let left = 3; left > 0; left -= 1) await endOne()
  expect(running.map(({ from }) => from === NEWCOMER)).toEqual([true, false])
  isOver = true
  while (running.length > 0) running[0]?.end()
  await Promise.all(calls)
})

test('holds nothing else up while keys wait for their partner', async () => {
  const partner = await partnerWith(maru)
  const people = await Promise.all(Array.from({ length: 30 }, () => holderOf(maru, partner)))
  const locker = new pg.Client(maru.database.pool.options)
  await locker.connect()
  await locker.query('begin')
  await locker.query('select from partners where id = $1 for update', [partner.id])
  const keys = people.map(({ session }) => maru.call(issueKey, { requestKey: 'one' }, { session }))
  await untilBlocked(locker)
  expect((await list(people[0] ?? expect.unreachable())).status).toBe(200)
  await locker.end()
  expect(new Set((await Promise.all(keys)).map(({ status }) => status))).toEqual(new Set([200]))
})

test.each([
  ['HEAD', `${UPLOADS_PATH}/1`, 'application/offset+octet-stream'],
  ['PATCH', `${UPLOADS_PATH}/1`, 'application/offset+octet-stream'],
  ['POST', uploadFile.path, 'multipart/form-data; boundary=b'],
  ['GET', `${FILE_LINKS_PATH}/token`, undefined],
] as const)('%s %s waits for its turn as calls do', async (method, path, type) => {
  const { session } = await hasty.createUser()
  const goOn = await holdUp(hasty)
  const calls = Array.from({ length: 40 }, () =>
    hasty.call(listNotices, { page: 1, perPage: 4 }, { session }),
  )
  // One that waits is refused: all places are taken.
  expect((await Promise.race(calls)).status).toBe(503)
  const headers = { [SESSION_HEADER]: session, ...(type !== undefined && { 'content-type': type }) }
  const answer = await hasty.app.inject({ method, url: API_BASE + path, headers })
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
  await goOn()
  await Promise.all(calls)
})

test('queues sixty calls with a body of 1 MiB, not two thousand', async () => {
  const admission = createAdmission(1)
  const socket = { destroyed: false }
  const call = { ip: '10.9.9.9', headers: {}, body: Buffer.alloc(1024 * 1024), raw: { socket } }
  const running = Promise.withResolvers<void>()
  const calls = Array.from({ length: 100 }, () =>
    admission.inTurn(call as unknown as FastifyRequest, listNotices, () => running.promise),
  )
  expect(admission.waiting()).toBe(60)
  running.resolve()
  const answers = await Promise.allSettled(calls)
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(39)
})

test('tells a caller that waited too long when to retry, and changes nothing', async () => {
  const author = await hasty.createUser()
  const write = (title: string) =>
    hasty.call(createNotice, { bulletCode: BULLET.notice, title, memo: '' }, { session: author.session })
  const goOn = await holdUp(hasty)
  const answers = Promise.all(Array.from({ length: 20 }, (_, n) => write(`공지 ${n}`)))
  await goOn()
  const all = await answers
  const refused = all.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThanOrEqual(20 - places())
  for (const { status, code, headers } of refused)
    expect([status, code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5'])
  const { rows } = await hasty.database.pool.query('select count(*)::int as n from notices')
  expect(rows).toEqual([{ n: all.length - refused.length }])
})
