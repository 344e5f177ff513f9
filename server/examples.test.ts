import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createWebhook } from '../contract/events.ts'
import { createProgram } from '../contract/keys.ts'
import type { Scope } from '../contract/scopes.ts'
import { holderOf, partnerWith } from '../dev/test-kit/keys.ts'
import { useMaru } from '../dev/test-kit/maru.ts'
import type { TestUser } from '../dev/test-kit/people.ts'
import { programsOf } from '../dev/test-kit/programs.ts'
import { deliverNext } from './domains/events/index.ts'
import { signedHeaders } from './domains/events/secrets.ts'

/* The examples of docs/api.md as separate programs, against a Maru that listens. */
const maru = useMaru({ OUTBOUND_ALLOW: '127.0.0.1' })
const { sql, passGate } = programsOf(maru)
const EXAMPLES = join(import.meta.dirname, '../examples')
const folder = mkdtempSync(join(tmpdir(), 'maru-examples-'))

let url: string
let admin: TestUser
beforeAll(async () => {
  await maru.app.ready()
  maru.app.server.listen(0, '127.0.0.1')
  await once(maru.app.server, 'listening')
  url = `http://127.0.0.1:${(maru.app.server.address() as AddressInfo).port}`
  admin = await maru.createUser({ role: 'admin' })
})
afterAll(() => {
  maru.app.server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function tokenOf(person: TestUser, scopes: Scope[]): Promise<string> {
  await passGate(person)
  const { data } = await maru.call(createProgram, { programName: '예제', scopes }, person)
  return data.programToken
}

/** Starts an example. Collects what it writes. */
function start(name: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(EXAMPLES, name), ...args], { env: { MARU_URL: url, ...env } })
  onTestFinished(() => void child.kill())
  const text = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()))
  return { text, ended: once(child, 'close').then(([code]) => ({ code: code as number, ...text })) }
}

test('have at most 40 lines', () => {
  const files = readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs'))
  expect(files).toHaveLength(3)
  for (const name of files)
    expect(readFileSync(join(EXAMPLES, name), 'utf8').trimEnd().split('\n').length, name).toBeLessThan(41)
})

const COLUMNS =
  'userId,name,affiliationCode,position,phoneNumber,email,roleCode,partnerCode,validFrom,validTo,teamName,left'
const line = (userId: string, { name = '김하늘', position = '사원', left = '' } = {}) =>
  `${userId},${name},BEL001,${position},01012345678,${userId}@example.com,AUT003,FEED-1,2026-01-01,2099-12-31,,${left}`
const users = () =>
  sql(`select login_id, name, position, suspended_for from users where login_id like 'feed.%' order by 1`)
const written = () => sql(`select count(*) from audit_log where action like 'user.%'`)

describe('hr-feed.mjs (rules/keys#unattended-changes)', () => {
  async function feed(lines: string[]) {
    const file = join(folder, 'people.csv')
    writeFileSync(file, `\uFEFF${[COLUMNS, ...lines].join('\r\n')}\r\n`)
    return start('hr-feed.mjs', [file], { MARU_PROGRAM_TOKEN: token }).ended
  }
  let token: string
  beforeAll(async () => {
    const partner = await maru.createPartner({ code: 'FEED-1', affiliation: 'BEL001' })
    const hr = await maru.createUser({ role: 'hr', partner })
    token = await tokenOf(hr, ['users:write', 'users:suspend'])
  })

  test('registers, updates and suspends users, and does nothing the next time', async () => {
    const first = await feed([line('feed.one'), line('feed.two', { name: '"김, ""하늘"""' })])
    expect(first).toEqual({ code: 0, out: '', err: '' })
    const next = [
      line('feed.one', { position: '과장' }),
      line('feed.two', { left: '2026-11-26' }),
      line('feed.three'),
    ]
    expect(await feed(next)).toEqual({ code: 0, out: '', err: '' })
    const expected = [
      { login_id: 'feed.one', name: '김하늘', position: '과장', suspended_for: null },
      { login_id: 'feed.three', name: '김하늘', position: '사원', suspended_for: null },
      { login_id: 'feed.two', name: '김, "하늘"', position: '사원', suspended_for: 'OTHER' },
    ]
    expect(await users()).toEqual(expected)
    const before = await written()
    expect(await feed(next)).toEqual({ code: 0, out: '', err: '' })
    expect(await written()).toEqual(before)
  })

  test('prints what failed, exits with 1 and does the rest', async () => {
    await feed([line('feed.four')])
    const { code, err } = await feed([
      line('feed.four', { position: '가'.repeat(51) }),
      line(admin.userId, { position: '이사' }),
      line('feed.none', { left: 'x' }),
      line('feed.five', { position: '가'.repeat(51) }),
      line('feed.six'),
    ])
    expect(code).toBe(1)
    const failures = err.trimEnd().split('\n').toSorted()
    expect(failures.map((text) => text.split(':').slice(0, 2).join(':'))).toEqual(
      [
        `${admin.userId}: userId`,
        'feed.five: position',
        'feed.four: position',
        'feed.none: USER_NOT_FOUND',
      ].toSorted(),
    )
    const ids = (await users()).map(({ login_id: id }) => id as string)
    expect([ids.includes('feed.five'), ids.includes('feed.six')]).toEqual([false, true])
  })

  test('exits with 1 if the token has ended', async () => {
    await sql(`update program_tokens set expires_at = now() - interval '1 second'`)
    const { code, err } = await feed([line('feed.seven')])
    expect([code, err]).toEqual([1, 'rows from feed.seven: PROGRAM_TOKEN_REQUIRED\n'])
  })
})

test('issue-key.mjs issues the same key again, and reports a refusal (rules/keys#scopes)', async () => {
  const person = await holderOf(maru, await partnerWith(maru, { limits: { total: 1 } }))
  const env = { MARU_PROGRAM_TOKEN: await tokenOf(person, ['keys:issue']) }
  const issue = (device: string) => start('issue-key.mjs', [device], env).ended
  const first = await issue('device-0001')
  expect(first).toEqual({ code: 0, out: expect.stringMatching(/^MARU1\.\S+\n$/), err: '' })
  expect(await issue('device-0001')).toEqual(first)
  expect(await issue('device-0002')).toMatchObject({ code: 1, out: '', err: /^KEY_LIMIT_TOTAL: / })
})

test('webhook-receiver.mjs takes each genuine event once, also after a restart (rules/events#signature)', async () => {
  const to = { webhookName: '예제', url: 'http://127.0.0.1:1/', eventKinds: ['webhook' as const] }
  const { webhookSecret } = (await maru.call(createWebhook, to, admin)).data
  const listen = async () => {
    const env = { WEBHOOK_SECRET: webhookSecret, PORT: '0', SEEN_FILE: join(folder, 'seen.txt') }
    const program = start('webhook-receiver.mjs', [], env)
    await expect.poll(() => program.text.err).toMatch(/port \d+\./)
    return { ...program, url: `http://127.0.0.1:${/port (\d+)/.exec(program.text.err)?.[1]}/` }
  }
  const { db } = maru.database
  const { outbound, keySecret } = maru.services
  async function deliver(address: string) {
    await sql('update webhooks set url = $1, paused_until = now()', [address])
    await sql(`update event_deliveries set state = 'waiting', next_attempt_at = now()`)
    while (await deliverNext({ db, outbound, keySecret }, new AbortController().signal));
    return sql('select state, status from event_deliveries')
  }
  const delivered = [{ state: 'delivered', status: 204 }]
  const program = await listen()
  expect(await deliver(program.url)).toEqual(delivered)
  expect(await deliver(program.url)).toEqual(delivered)
  await expect.poll(() => program.text.out).toMatch(/"type":"webhook.create".*\n$/)
  expect(program.text.out.trim().split('\n')).toHaveLength(1)

  const post = async (secret: string, secondsAgo: number, change: Record<string, string> = {}) => {
    const headers = signedHeaders('evt_new', '{}', [secret], Date.now() - secondsAgo * 1000)
    const answer = await fetch(program.url, {
      method: 'POST',
      body: '{}',
      headers: { ...headers, ...change },
    })
    return answer.status
  }
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  expect([
    await post(other, 0),
    await post(webhookSecret, 600),
    await post(webhookSecret, -600),
    await post(webhookSecret, 0, { 'webhook-id': 'evt_other' }),
    await post(webhookSecret, 0, { 'webhook-timestamp': 'NaN' }),
    await post(webhookSecret, 0, { 'webhook-signature': 'v1,' }),
    (await fetch(program.url, { method: 'POST', body: '{}' })).status,
    await post(webhookSecret, 200),
  ]).toEqual([400, 400, 400, 400, 400, 400, 400, 204])

  const again = await listen()
  expect(await deliver(again.url)).toEqual(delivered)
  expect(again.text.out).toBe('')
})
