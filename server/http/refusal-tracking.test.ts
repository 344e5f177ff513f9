import { describe, expect, test } from 'vitest'
import { checkId, checkPassword, findId, login, readLink, setPassword } from '../../contract/account.ts'
import { listAudit } from '../../contract/audit.ts'
import { checkFunction, getAuthority } from '../../contract/common.ts'
import type { InputOf } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import { verifyKey } from '../../contract/keys.ts'
import { grantFunction } from '../../contract/roles.ts'
import { exportUsers, listUsers, updateUser } from '../../contract/users.ts'
import { createRefusalRecords, type RefusalTrace } from '../records/refusal-audit.ts'
import { PASSWORD, useMaru } from '../../dev/test-kit/maru.ts'
import { sampleOf } from '../../dev/test-kit/samples.ts'

/* Audit rows and log lines of refusals (rules/audit#refusals). */

const maru = useMaru({ LOG_LEVEL: 'info' })

const edit = endpoints.find(({ name }) => name === 'updateUser')
const SAMPLE_EDIT = edit === undefined ? {} : sampleOf(edit)

const signIn = (loginId: string, password: string, address: string) =>
  maru.call(login, { loginId, password }, { address })
const rows = async (where: string, values: unknown[] = []) =>
  (
    await maru.database.pool.query(
      `select action, actor_id, target, detail, address, request_id from audit_log
       where action like 'refusal.%' and ${where} order by id`,
      values,
    )
  ).rows
/** Returns the rows of a user as soon as there are `many`: they are written after the response. */
const rowsOf = async (id: string, many: number) => {
  await expect.poll(() => rows('actor_id = $1', [id])).toHaveLength(many)
  return rows('actor_id = $1', [id])
}
const linesFrom = (address: string) =>
  maru.log.filter((line) => line.msg === 'refused' && line['address'] === address)

describe('a failed login (rules/audit#refusals)', () => {
  test('records the ID as typed, address, request and code, also of the lock it causes', async () => {
    const { userId } = await maru.createUser()
    for (const typed of [userId, 'nobody.here']) {
      const address = typed === userId ? '203.0.113.10' : '203.0.113.11'
      const answers = []
      for (let i = 0; i < 6; i += 1) answers.push(await signIn(` ${typed.toUpperCase()}`, 'wrong', address))
      await expect.poll(() => rows('target = $1', [typed])).toHaveLength(6)
      const written = await rows('target = $1', [typed])
      expect(written.map(({ action }) => action)).toEqual([
        ...Array<string>(4).fill('refusal.login'),
        'refusal.lock',
        'refusal.lock',
      ])
      expect(written[0]).toMatchObject({
        actor_id: null,
        address,
        detail: { refusal: 'LOGIN_FAILED', attempted: 'account.login' },
      })
      const sent = answers.map(({ headers }) => headers['x-request-id'])
      expect(written.map((row) => row.request_id)).toEqual(sent)
      expect(linesFrom(address)[0]).toMatchObject({
        level: 30,
        refusal: 'login',
        code: 'LOGIN_FAILED',
        userId: typed,
        call: login.path,
        reqId: sent[0],
      })
    }
    const { body } = await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect(body).toMatch(/^maru_refusals_total\{kind="login",code="LOGIN_FAILED"\} [1-9]/m)
    expect(body).toMatch(/^maru_refusals_total\{kind="lock",code="LOGIN_LOCKED"\} [1-9]/m)
  })

  test.each(['Pa55word! of mine', '비밀번호1234', 'an-id-longer-than-one-may-be'])(
    'keeps nothing of %s, which is no ID and may be a password',
    async (typed) => {
      const address = `203.0.113.${20 + typed.length}`
      await signIn(typed, 'wrong', address)
      await expect.poll(() => rows('address = $1', [address])).toHaveLength(1)
      expect(JSON.stringify([await rows('address = $1', [address]), maru.log])).not.toContain(
        typed.toLowerCase().slice(0, 8),
      )
    },
  )

  test('records a right password of a suspended account as a failed login', async () => {
    const { userId } = await maru.createUser({ approved: false })
    await signIn(userId, PASSWORD, '203.0.113.12')
    await expect.poll(() => rows('target = $1', [userId])).toHaveLength(1)
    const [row] = await rows('target = $1', [userId])
    expect(row).toMatchObject({ action: 'refusal.login', detail: { refusal: 'ACCOUNT_NOT_APPROVED' } })
  })
})

test('records refusals of a signed-in user under their name', async () => {
  const [person, hr] = [await maru.createUser(), await maru.createUser({ role: 'hr' })]
  await maru.call(checkPassword, { password: 'wrong' }, person)
  await maru.call(setPassword, { currentPassword: 'wrong', newPassword: 'brand-New-2026!' }, person)
  await maru.call(listUsers, {}, person)
  // It only asks.
  await maru.call(checkFunction, { functionName: 'autho_user_manage' }, person)
  const own = await rowsOf(person.id, 3)
  expect(own.map(({ action, target, detail }) => [action, target, detail])).toEqual(
    expect.arrayContaining([
      ['refusal.password', person.userId, { refusal: 'PASSWORD_WRONG', attempted: 'account.check-password' }],
      ['refusal.password', person.userId, { refusal: 'PASSWORD_WRONG', attempted: 'account.set-password' }],
      ['refusal.rights', '', { refusal: 'FORBIDDEN', call: listUsers.path }],
    ]),
  )

  const file = { format: 'csv', reason: '점검', password: PASSWORD } as const
  await maru.call(exportUsers, file, hr)
  await maru.call(grantFunction, { roleCode: 'AUT002', functionName: 'autho_admin_manage' }, hr)
  const card = { partnerCode: 'X-1', roleCode: 'AUT001', approvalCode: 'MEMAP001' } as const
  const change = { ...SAMPLE_EDIT, ...card, originalUserId: hr.userId, userId: hr.userId }
  expect((await maru.callRaw(updateUser.path, change, hr)).code).toBe('FORBIDDEN')
  const tried = await rowsOf(hr.id, 3)
  expect(tried.map(({ action, detail }) => [action, detail.attempted])).toEqual([
    ['refusal.export', 'user.export'],
    ['refusal.rights', 'role.grant'],
    ['refusal.raise', 'user.update'],
  ])
})

test('logs and counts wrong codes, links and tokens, and requests no page makes (rules/audit#refusals)', async () => {
  const address = '203.0.113.19'
  const person = await maru.createUser()
  const { token } = await maru.createService()
  const guess = {
    email: 'nobody@maru.example',
    certificationType: 'TYP002',
    certificationCode: '000000',
  } as const
  await maru.call(findId, guess, { address })
  await maru.call(readLink, { token: 'guessed' }, { address })
  await maru.call(verifyKey, { issuedKey: 'x' }, { address, token: `${token}x` })
  await maru.call(findId, guess, { address, rawBody: '?' })
  await maru.call(verifyKey, { issuedKey: 'x' }, { address })
  await maru.call(getAuthority, {}, { ...person, address, rawBody: '{"DATA":"?"}' })
  await expect.poll(() => linesFrom(address)).toHaveLength(5)
  // Without a token at all it is no guess.
  const told = linesFrom(address).map((line) => [line['refusal'], line['code'], line['call']])
  expect(told).toEqual(
    expect.arrayContaining([
      ['code', 'CERTIFICATION_FAILED', findId.path],
      ['code', 'LINK_INVALID', readLink.path],
      ['code', 'SERVICE_TOKEN_REQUIRED', verifyKey.path],
      ['input', 'ENVELOPE_INVALID', findId.path],
      ['input', 'ENVELOPE_INVALID', getAuthority.path],
    ]),
  )
  expect((await rowsOf(person.id, 1))[0]).toMatchObject({ action: 'refusal.input', address })
  expect(JSON.stringify(linesFrom(address))).not.toMatch(/guessed|000000|maru-service/)
  const { body } = await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  expect(body).toMatch(/^maru_refusals_total\{kind="code",code="LINK_INVALID"\} [1-9]/m)
})

test('renders refusals as searchable text in the audit log (rules/audit#words)', async () => {
  const admin = await maru.createUser({ role: 'admin' })
  const { userId } = await maru.createUser()
  await signIn(userId, 'wrong', '203.0.113.13')
  await expect.poll(() => rows('target = $1', [userId])).toHaveLength(1)
  const find = async (language: string, action: InputOf<typeof listAudit>['action']) =>
    (await maru.call(listAudit, { target: userId, action }, { session: admin.session, language })).data.rows
  expect(await find('ko', 'refusal')).toMatchObject([
    {
      userId: '',
      address: '203.0.113.13',
      action: '로그인 실패',
      target: userId,
      changes: [
        { item: '거부한 이유', after: '아이디 또는 비밀번호가 올바르지 않습니다.' },
        { item: '시도한 작업', after: '로그인' },
      ],
    },
  ])
  expect(await find('en', 'refusal.login')).toMatchObject([
    { action: 'Login failed', changes: [{ after: 'The ID or the password is not correct.' }, {}] },
  ])
  expect(await find('ko', 'refusal.lock')).toEqual([])
})

test('logs and counts a 429 of a network, without a row', async () => {
  const address = '203.0.113.14'
  const { points } = checkId.limit
  for (let i = 0; i <= points; i += 1) await maru.call(checkId, { userId: 'nobody.here' }, { address })
  await expect.poll(() => linesFrom(address)).toHaveLength(1)
  expect(linesFrom(address)[0]).toMatchObject({ refusal: 'limit', code: 'TOO_MANY_TRIES' })
  expect(await rows('address = $1', [address])).toEqual([])
})

const refusal = (network: string, triedId: string): RefusalTrace => ({
  kind: 'login',
  code: 'LOGIN_FAILED',
  call: login.path,
  action: login.audit,
  address: network,
  network,
  requestId: 'flood',
  person: undefined,
  triedId,
})
const write = async (...traces: RefusalTrace[]) => {
  await maru.owner.query('delete from audit_log')
  const lines: unknown[] = []
  const log = {
    ...maru.app.log,
    info: (line: unknown) => lines.push(line),
  } as unknown as typeof maru.app.log
  const records = createRefusalRecords(maru.database.pool, log)
  for (const trace of traces) records.add(trace)
  await records.close()
  return { written: await rows('true'), lines }
}
const times = (written: { detail: { times?: number } }[]) =>
  written.flatMap(({ detail }) => detail.times ?? [])

describe('a flood of refusals (rules/audit#refusals)', () => {
  test('has ten rows a minute for one address, and one that counts the rest', async () => {
    const { written } = await write(
      ...Array.from({ length: 500 }, (_, n) => refusal('198.51.100.1', `guess.${n}`)),
    )
    expect(written).toHaveLength(11)
    expect(written.at(-1)).toMatchObject({ address: '198.51.100.1', target: '', detail: { times: 490 } })
  })

  test('has ten rows and a count for one ID from everywhere, too', async () => {
    const { written } = await write(
      ...Array.from({ length: 200 }, (_, n) => refusal(`198.51.100.${n}`, 'victim')),
    )
    expect(written).toHaveLength(11)
    expect(written.at(-1)).toMatchObject({ address: '', target: 'victim', detail: { times: 190 } })
  })

  test('bounds the rows and lines of a refusal flood, and counts every refusal', async () => {
    const { written, lines } = await write(
      ...Array.from({ length: 20_000 }, (_, n) => refusal(`net ${n % 400}`, `guess.${n % 3_000}`)),
    )
    expect(written.length).toBeLessThanOrEqual(121)
    expect(lines).toHaveLength(601)
    expect(lines.at(-1)).toEqual({ refusals: 19_400 })
    const single = written.length - times(written).length
    expect(single + times(written).reduce((sum, n) => sum + n, 0)).toBe(20_000)
  })
})
