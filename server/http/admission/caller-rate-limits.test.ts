import type { FastifyRequest } from 'fastify'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { login } from '../../../contract/account.ts'
import { listCodes } from '../../../contract/common.ts'
import { endpoint, maxBytesOf, PER_PERSON } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/index.ts'
import { issueKey, verifyKey } from '../../../contract/keys.ts'
import {
  confirmNotice,
  createComment,
  createNotice,
  deleteNotice,
  listNotices,
  updateComment,
  uploadFile,
} from '../../../contract/notices.ts'
import { listMentionable } from '../../../contract/notices/mentions.ts'
import { COLLEAGUES_A_DAY, getColleague, listColleagues, listUsers } from '../../../contract/users.ts'
import { createAdmission } from './admission.ts'
import { createCallLimits } from './caller-rate-limits.ts'
import { hashToken, newToken } from '../../callers/bearer-tokens.ts'
import { type CallOptions, type TestMaru, useMaru } from '../../../dev/test-kit/maru.ts'
import { PASSWORD, type TestUser } from '../../../dev/test-kit/people.ts'
import { roundTrips } from '../../../dev/test-kit/round-trips.ts'

/* How much one person may ask for (rules/wire#calls-per-person), with one per cent of the usual numbers. */
const maru = useMaru({ CALL_LIMIT_PERCENT: '1' })
const READS = PER_PERSON.read.points / 100
const WRITES = PER_PERSON.write.points / 100
let kim: TestUser

const notice = { bulletCode: 'BE0001', title: '공지', memo: '', publishAt: '' } as const
const read = (by = kim) => maru.call(listNotices, {}, by)
const write = (by = kim) => maru.call(confirmNotice, { noticeId: '999999' }, by)
const verify = (token: string) => maru.call(verifyKey, { issuedKey: 'none' }, { token })
const issue = (by: CallOptions) => maru.call(issueKey, { requestKey: 'x' }, by)
const of = (perPerson: string) => endpoints.filter((entry) => entry.endpoint.perPerson === perPerson)
/** A cookie under the name that belongs to a session or token. */
const cookieOf = (credential: string, value: number) => ({
  cookie: `maru_${hashToken(credential).toString('hex', 0, 8)}=${value}`,
})
const REFUSED = { status: 429, code: 'TOO_MANY_CALLS' }

async function times(count: number, call: () => Promise<{ status: number }>) {
  const statuses: number[] = []
  for (let i = 0; i < count; i += 1) statuses.push((await call()).status)
  return statuses
}

beforeEach(async () => {
  kim = await maru.createUser()
})

describe('the calls of one person', () => {
  test('are refused past the limit of their class, with the time to wait and a message', async () => {
    expect(await times(READS + 1, read)).toEqual([...Array<number>(READS).fill(200), 429])
    const refused = await read()
    expect(refused).toMatchObject({
      ...REFUSED,
      msg: '짧은 시간에 요청이 너무 많이 들어왔습니다. 잠시 후 다시 시도해주세요.',
    })
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(PER_PERSON.read.seconds)
    const english = await maru.call(listNotices, {}, { ...kim, language: 'en' })
    expect(english.msg).toContain('too many requests in a short time')
  })

  test("limits one class of a user's calls without affecting others", async () => {
    expect(await times(WRITES + 1, write)).toEqual([...Array<number>(WRITES).fill(400), 429])
    expect((await read()).status).toBe(200)
    const lee = await maru.createUser()
    expect((await write(lee)).code).toBe('NOTICE_NOT_FOUND')
  })

  test('count together over all sessions, addresses and calls of a class', async () => {
    const again = (await maru.call(login, { loginId: kim.userId, password: PASSWORD })).data.sessionUid
    const codes = () =>
      maru.call(listCodes, { codeGroup: 'COMBEL001' }, { session: again, address: '203.0.113.5' })
    expect((await codes()).status).toBe(200)
    await times(READS, read)
    expect(await codes()).toMatchObject(REFUSED)
  })

  test('are refused before the body is read and without a question to the database', async () => {
    await times(READS, read)
    const tooLarge = 'x'.repeat(maxBytesOf(listNotices) + 1)
    const statements = await roundTrips(maru.database.pool, async () => {
      expect(await maru.callRaw(listNotices.path, {}, { ...kim, rawBody: tooLarge })).toMatchObject(REFUSED)
      expect((await maru.callRaw(listUsers.path, {}, kim)).code).toBe('TOO_MANY_CALLS')
    })
    expect(statements).toEqual([])
  })

  test('costs no extra round trip for admitted calls', async () => {
    const statements = await roundTrips(maru.database.pool, read)
    expect(statements.join('\n')).not.toContain('rate_limits')
  })

  test('count from the first call of each session, whatever cookies come with them', async () => {
    const readWith = (value: number) =>
      maru.call(listNotices, {}, { session: kim.session, headers: cookieOf(kim.session, value) })
    const statuses = []
    for (let n = 0; n <= READS; n += 1) statuses.push((await readWith(n)).status)
    expect(statuses).toEqual([...Array<number>(READS).fill(200), 429])
    expect(await read()).toMatchObject(REFUSED)

    const token = newToken('program')
    await maru.database.pool.query(
      `insert into program_tokens (user_id, name, token_hash, expires_at) values ($1, '장비', $2, now() + interval '1 day')`,
      [kim.id, hashToken(token)],
    )
    const most = PER_PERSON.program.points / 100
    for (let n = 0; n < most; n += 1)
      expect((await issue({ token, headers: cookieOf(token, n) })).code).toBe('NO_PARTNER')
    expect(await issue({ token, headers: cookieOf(token, most) })).toMatchObject(REFUSED)
  })

  test('count with a session that is new to this process', async () => {
    await times(READS - 1, read)
    const again = (await maru.call(login, { loginId: kim.userId, password: PASSWORD })).data.sessionUid
    const readAgain = () => maru.call(listNotices, {}, { session: again })
    expect((await readAgain()).status).toBe(200)
    expect(await readAgain()).toMatchObject(REFUSED)
    const fresh = (await maru.call(login, { loginId: kim.userId, password: PASSWORD })).data.sessionUid
    expect(await maru.call(listNotices, {}, { session: fresh })).toMatchObject(REFUSED)
  })

  test('count with a form, too', async () => {
    await times(WRITES, write)
    expect(await maru.callRaw(uploadFile.path, {}, kim)).toMatchObject(REFUSED)
  })
})

describe('a token that is valid no more (rules/wire#calls-per-person)', () => {
  test('uses up no call of a user for an expired session, on no server', async () => {
    const twin = await maru.startTwin()
    const old = kim.session
    const { sessionUid: session } = (await maru.call(login, { loginId: kim.userId, password: PASSWORD })).data
    const servers = [maru, twin]
    for (const server of servers)
      for (const known of [old, session]) await server.call(listNotices, {}, { session: known })
    await maru.database.pool.query('delete from sessions where token_hash = $1', [hashToken(old)])
    for (const server of servers) {
      const answers = await Promise.all(
        Array.from({ length: 3 * READS }, () => server.call(listNotices, {}, { session: old })),
      )
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['SESSION_REQUIRED']))
      expect((await server.call(listNotices, {}, { session })).status).toBe(200)
    }
  })

  test('uses up no call of a user for an ended program token', async () => {
    const token = newToken('program')
    const { rows } = await maru.database.pool.query(
      `insert into program_tokens (user_id, name, token_hash, expires_at)
        values ($1, '장비', $2, now() + interval '1 day') returning id`,
      [kim.id, hashToken(token)],
    )
    for (let i = 0; i < 2; i += 1) expect((await issue({ token })).code).toBe('NO_PARTNER')
    await maru.database.pool.query('update program_tokens set expires_at = now() where id = $1', [rows[0].id])
    const most = PER_PERSON.program.points / 100
    const answers = await Promise.all(Array.from({ length: 3 * most }, () => issue({ token })))
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['PROGRAM_TOKEN_REQUIRED']))
    expect((await issue(kim)).code).toBe('NO_PARTNER')
  })

  test('waits with those of its address after it was refused once', async () => {
    const admission = createAdmission(4)
    const request = { ip: '10.9.9.9', headers: { sessionid: 'a-session' } } as unknown as FastifyRequest
    admission.rememberCaller(request, '7', false)
    expect(admission.queueKey(request)).toBe('person 7')
    admission.forgetCaller(request)
    expect([admission.knownUserId(request), admission.queueKey(request)]).toEqual([undefined, '10.9.9.9'])
  })
})

test('limits notices to 30 an hour, 300 for managers, also concurrent or deleted ones (rules/notices#notices-an-hour)', async () => {
  const publish = (by = kim, server: Pick<TestMaru, 'call'> = maru) => server.call(createNotice, notice, by)
  const twin = await maru.startTwin()
  const { noticeId } = (await publish()).data
  await maru.call(deleteNotice, { noticeId }, kim)
  const refused = await publish()
  expect(refused).toMatchObject({ status: 429, code: 'NOTICES_TOO_MANY' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
  const hr = await maru.createUser({ role: 'hr' })
  const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => publish(hr, n < 3 ? maru : twin)))
  const more = answers.filter(({ status }) => status !== 200)
  expect(more.map(({ code }) => code)).toEqual(['NOTICES_TOO_MANY', 'NOTICES_TOO_MANY'])
  await maru.database.pool.query(`update rate_limits set expire = 0 where key like 'notices-%'`)
  expect((await publish(hr, twin)).status).toBe(200)
})

test('limits comments and edits to 120 an hour on all servers (rules/notices#comments-an-hour)', async () => {
  const { noticeId } = (await maru.call(createNotice, notice, await maru.createUser())).data
  const input = { noticeId, text: '글' }
  const { commentId } = (await maru.call(createComment, input, kim)).data
  const twin = await maru.startTwin()
  expect((await twin.call(updateComment, { commentId, text: '고침' }, kim)).status).toBe(200)
  const refused = await maru.call(createComment, input, kim)
  expect(refused).toMatchObject({ status: 429, code: 'COMMENTS_TOO_MANY' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
  expect((await maru.call(createComment, input, await maru.createUser())).status).toBe(200)
})

test('counts each mention like a comment (rules/notices#comments-an-hour)', async () => {
  const { noticeId } = (await maru.call(createNotice, notice, await maru.createUser())).data
  const [by, named] = [await maru.createUser(), await maru.createUser({ name: '언급될이' })]
  const input = { noticeId, text: '@언급될이', mentionIds: [named.id, named.id] }
  expect((await maru.call(createComment, input, by)).status).toBe(200)
  expect((await maru.call(createComment, { noticeId, text: '글' }, by)).code).toBe('COMMENTS_TOO_MANY')
})

test('counts people offered for a mention like directory entries (rules/colleagues#entries-a-day)', async () => {
  const { noticeId } = (await maru.call(createNotice, notice, await maru.createUser())).data
  const by = await maru.createUser()
  expect((await maru.call(listColleagues, { perPage: COLLEAGUES_A_DAY / 100 - 1 }, by)).status).toBe(200)
  const twin = await maru.startTwin()
  const refused = await twin.call(listMentionable, { noticeId, keyword: '홍길' }, by)
  expect(refused.code).toBe('COLLEAGUES_TOO_MANY')
})

test('limits directory entries to 5,000 a day on all servers, a card being one (rules/colleagues#entries-a-day)', async () => {
  const page = { perPage: COLLEAGUES_A_DAY / 100 - 1 }
  expect((await maru.call(listColleagues, page, kim)).status).toBe(200)
  const { userId } = kim
  expect((await (await maru.startTwin()).call(getColleague, { userId }, kim)).status).toBe(200)
  const refused = await maru.call(getColleague, { userId }, kim)
  expect(refused).toMatchObject({ status: 429, code: 'COLLEAGUES_TOO_MANY' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
  expect((await maru.call(getColleague, { userId }, await maru.createUser())).status).toBe(200)
})

test('gives a service a limit of its own', async () => {
  const [token, other] = [newToken('service'), newToken('service')]
  for (const [name, secret] of Object.entries({ 가: token, 나: other }))
    await maru.database.pool.query(
      'insert into service_tokens (name, token_hash, created_by) values ($1, $2, $3)',
      [name, hashToken(secret), kim.id],
    )
  const points = PER_PERSON.program.points / 100
  expect(await times(points + 1, () => verify(token))).toEqual([...Array<number>(points).fill(200), 429])
  expect((await verify(other)).status).toBe(200)
})

test('counts a user’s programs with the user, however many they have (rules/keys#program-tokens)', async () => {
  const [token, other] = [newToken('program'), newToken('program')]
  for (const [name, secret] of Object.entries({ 가: token, 나: other }))
    await maru.database.pool.query(
      `insert into program_tokens (user_id, name, token_hash, expires_at) values ($1, $2, $3, now() + interval '1 day')`,
      [kim.id, name, hashToken(secret)],
    )
  for (const by of [{ token }, { token: other }]) expect((await issue(by)).code).toBe('NO_PARTNER')
  const points = PER_PERSON.program.points / 100 - 2
  expect(await times(points, () => issue({ token }))).toEqual(Array<number>(points).fill(400))
  for (const by of [{ token }, { token: other }, kim]) expect(await issue(by)).toMatchObject(REFUSED)
})

test('does not compile a call without a class', () => {
  // @ts-expect-error There is no default.
  endpoint({
    path: '/test/unlimited',
    summary: 'A call without a limit per person',
    access: 'signed-in',
    input: z.strictObject({}),
    output: z.object({}),
    errors: [],
    audit: 'none',
  })
})

test('declares a class per call: heavy for bulk changes without emails, export for files', () => {
  for (const perPerson of Object.keys(PER_PERSON)) expect(of(perPerson), perPerson).not.toEqual([])
  for (const { name, endpoint: call } of endpoints) {
    if (call.auditsEach) expect(call.perPerson, name).toBe(call.mails === undefined ? 'heavy' : 'mail')
    if (name.startsWith('export')) expect(call.perPerson, name).toBe('export')
  }
})

test('delays refusals by a second after the first twenty (rules/wire#calls-per-person)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const limits = createCallLimits(1)
  const refused: number[] = []
  const use = (number: number) => limits.use('write', 'person 1').catch(() => void refused.push(number))
  for (let i = 1; i <= WRITES + 20; i += 1) await use(i)
  expect(refused).toHaveLength(20)
  const late = use(0)
  await new Promise(setImmediate)
  expect(refused).not.toContain(0)
  vi.advanceTimersByTime(1_000)
  await late
  expect(refused).toContain(0)
})
