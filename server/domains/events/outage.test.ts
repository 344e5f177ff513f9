import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebhook } from '../../../contract/events.ts'
import { urlOf } from '../../../dev/test-kit/database.ts'
import { createOwnDatabase, type OwnDatabase } from '../../../dev/test-kit/own-database.ts'
import { populate } from '../../../dev/test-kit/people.ts'
import { portalAt } from '../../../dev/test-kit/portal.ts'
import { type Program, startProgram } from '../../../dev/test-kit/program.ts'
import { startReceiver, type WebhookReceiver } from '../../../dev/test-kit/webhook-receiver.ts'

/* `kill -9` of a real server while it catches up with a receiver that was down (rules/events#retries). */
const dataDir = mkdtempSync(join(tmpdir(), 'maru-outage-'))
let own: OwnDatabase
let receiver: WebhookReceiver
let program: Program
beforeAll(async () => {
  own = await createOwnDatabase()
  receiver = await startReceiver()
  program = start()
})
afterAll(async () => {
  program?.process.kill('SIGKILL')
  await program?.ended
  await receiver?.stop()
  await own?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = () =>
  startProgram(dataDir, {
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(own.database.pool.options),
    OUTBOUND_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'error',
  })
const sql = async (text: string, values: unknown[] = []) => (await own.database.pool.query(text, values)).rows

/** Writes events, each in its own transaction. Returns their IDs. */
async function happen(count: number): Promise<string[]> {
  const ids = []
  for (let n = 0; n < count; n += 1) {
    const [{ id }] = await sql(
      `insert into audit_log (action, target, address, request_id) values ('team.create', '팀', '', 'x') returning id`,
    )
    ids.push(`evt_${id}`)
  }
  return ids
}

const attempts = async () => Number((await sql('select sum(attempts) as n from event_deliveries'))[0].n)
const waiting = () => sql(`select audit_id from event_deliveries where state <> 'delivered'`)

/** Moves the times of webhooks and deliveries back. */
async function letTimePass(minutes: number): Promise<void> {
  await sql(
    `update webhooks set failing_since = failing_since - make_interval(mins => $1),
    paused_until = paused_until - make_interval(mins => $1)`,
    [minutes],
  )
  await sql(
    `update event_deliveries set next_attempt_at = next_attempt_at - make_interval(mins => $1),
    attempted_at = attempted_at - make_interval(mins => $1)`,
    [minutes],
  )
}

test('loses no event if the receiver is down for an hour and the server is killed, and repeats IDs (rules/events#signature)', async () => {
  const admin = await populate(own.database, 'nobody logs in').createUser({ role: 'admin' })
  const portal = portalAt(Number(new URL(await program.url).port), admin.session)
  await portal.call(createWebhook, { webhookName: 'receiver', url: receiver.url, eventKinds: ['team'] })
  await receiver.stop()
  const ids = await happen(50)
  for (let passed = 0; passed < 60; passed += 6) {
    const before = await attempts()
    await letTimePass(6)
    await expect.poll(attempts).toBeGreaterThan(before)
    ids.push(...(await happen(5)))
  }
  expect(receiver.received).toEqual([])

  // Begins to deliver what waited, then leaves requests without an answer until the server is killed.
  await receiver.start()
  await letTimePass(6)
  await expect.poll(() => receiver.received.length).toBeGreaterThan(20)
  receiver.hold(true)
  const held = receiver.received.length
  ids.push(...(await happen(20)))
  await expect.poll(() => receiver.received.length).toBeGreaterThan(held)
  program.process.kill('SIGKILL')
  await program.ended
  receiver.hold(false)

  program = start()
  await program.url
  await letTimePass(6)
  await expect
    .poll(async () => {
      // Attempts that failed during the outage have later times.
      await letTimePass(30)
      return waiting()
    })
    .toEqual([])
  const got = receiver.received.map(({ id }) => id)
  expect([...new Set(got)].toSorted()).toEqual(ids.toSorted())
  expect(got.length).toBeGreaterThan(ids.length)
  for (const { id, body } of receiver.received)
    expect(`evt_${(JSON.parse(body) as { data: { eventId: string } }).data.eventId}`).toBe(id)
})
