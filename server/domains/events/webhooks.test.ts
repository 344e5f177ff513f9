import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import type { AuditAction } from '../../../contract/audit-actions.ts'
import { createWebhook, deleteWebhook, listDeliveries, listWebhooks } from '../../../contract/events.ts'
import { resendDeliveries, rollWebhook, updateWebhook, WEBHOOKS_MAX } from '../../../contract/events.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import { updateTeam, createTeam } from '../../../contract/teams.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { startReceiver, type WebhookReceiver } from '../../../dev/test-kit/webhook-receiver.ts'
import { recordAudit, type AuditedRecord } from '../../records/audit.ts'
import { createOutbound, type Outbound } from '../../services/outbound.ts'
import { deliverNext, removeOldDeliveries, renewWebhookSecrets } from './index.ts'

const maru = useMaru({ OUTBOUND_ALLOW: '127.0.0.1' })
const never = new AbortController().signal

let admin: TestUser
let receiver: WebhookReceiver

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())
beforeEach(async () => {
  await sql('delete from webhooks')
  receiver.received.length = 0
  receiver.answer(200)
})

const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let made = 0
async function make(input: { url?: string; eventKinds?: (AuditAction | 'team')[] } = {}) {
  const webhookName = `receiver ${(made += 1)}`
  const { data } = await maru.call(createWebhook, { webhookName, url: receiver.url, ...input }, admin)
  // Without the event of its own registration at another webhook.
  await sql('delete from event_deliveries')
  return data
}

/** Writes an event, as a call does. Returns its ID. */
async function happen(action: AuditAction = 'team.create', records: AuditedRecord[] | null = null) {
  const row = { action, target: '개발팀', records, actorId: admin.id, address: '10.0.0.1', requestId: 'x' }
  await maru.database.db
    .transaction()
    .execute((tx) => recordAudit(tx, { ...row, detail: { phone: '01012345678' } }))
  return (await sql('select max(id) as id from audit_log'))[0].id as string
}

/** Makes attempts until no delivery is due. */
async function deliver(outbound = maru.services.outbound): Promise<void> {
  const { keySecret } = maru.services
  while (await deliverNext({ db: maru.database.db, outbound, keySecret }, never));
}

/** Makes deliveries and paused webhooks due. */
async function passTime(): Promise<void> {
  await sql(`update event_deliveries set next_attempt_at = now() where state = 'waiting'`)
  await sql('update webhooks set paused_until = now()')
}

const deliveriesOf = async (webhookId: string) =>
  (await maru.call(listDeliveries, { webhookId }, admin)).data.deliveries
const actionsOf = async (id: string) => (await deliveriesOf(id)).map(({ action }) => action)

/** Returns whether the last delivery has a signature by the secret. */
const verifies = (secret: string) => {
  const { body = '', headers } = receiver.received.at(-1) ?? {}
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) !== undefined
  } catch {
    return false
  }
}

const webhookOf = async (webhookId: string) =>
  (await maru.call(listWebhooks, {}, admin)).data.webhooks.find((each) => each.webhookId === webhookId) ??
  expect.unreachable('no webhook')

describe('a delivery (rules/events#content)', () => {
  test('is verified by the library of Standard Webhooks (rules/events#signature)', async () => {
    const { webhookSecret } = await make()
    const id = await happen('user.update', [`user/${admin.id}`])
    await deliver()
    const [received, ...others] = receiver.received
    expect(others).toEqual([])
    const payload = new Webhook(webhookSecret).verify(
      received?.body ?? '',
      received?.headers as Record<string, string>,
    )
    const who = { kind: 'user', id: admin.id, name: admin.userId }
    expect(payload).toEqual({
      type: 'user.update',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00$/),
      data: { eventId: id, actor: who, records: [who] },
    })
    expect(received?.id).toBe(`evt_${id}`)
    expect(() =>
      new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').verify(
        received?.body ?? '',
        received?.headers as Record<string, string>,
      ),
    ).toThrow()
  })

  test('names partners by their code, and has no values and no contact data', async () => {
    await make()
    const code = await maru.createPartner()
    const [{ id }] = await sql('select id from partners where code = $1', [code])
    await happen('partner.update', [`partner/${id}`])
    await deliver()
    const body = receiver.received[0]?.body ?? ''
    expect(JSON.parse(body)).toMatchObject({ data: { records: [{ kind: 'partner', id, name: code }] } })
    expect(body).not.toMatch(/0101234|@|10\.0\.0\.1|개발팀/)
  })

  test('exists for each committed event of its kinds, and for none that was rolled back', async () => {
    const all = await make()
    const some = await make({ eventKinds: ['team', 'user.lift'] })
    await happen('user.suspend')
    await happen('user.lift')
    await happen('team.delete')
    await maru.database.db
      .transaction()
      .execute(async (tx) => {
        await recordAudit(tx, {
          action: 'team.create',
          target: '',
          records: null,
          address: '',
          requestId: '',
        })
        throw new Error('rolled back')
      })
      .catch(() => {})
    expect(await actionsOf(all.webhookId)).toEqual(['team.delete', 'user.lift', 'user.suspend'])
    expect(await actionsOf(some.webhookId)).toEqual(['team.delete', 'user.lift'])
    await deliver()
    expect(receiver.received).toHaveLength(5)
  })

  test('follows from a call of the portal', async () => {
    await make({ eventKinds: ['team'] })
    const input = { affiliationCode: 'BEL001', name: '기획팀' }
    const { data } = await maru.call(createTeam, input, admin)
    await maru.call(updateTeam, { teamId: data.teamId, name: '기획팀', version: 'x'.repeat(22) }, admin)
    await deliver()
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'team.create',
    ])
  })

  test('is signed by both secrets while the previous one is valid (rules/events#secret)', async () => {
    const { webhookId, webhookSecret: first } = await make()
    const { data } = await maru.call(rollWebhook, { webhookId, overlapDays: 1 }, admin)
    await sql('delete from event_deliveries')
    await happen()
    await deliver()
    expect([verifies(first), verifies(data.webhookSecret)]).toEqual([true, true])
    expect((await webhookOf(webhookId)).previousUntil).not.toBe('')

    await sql(`update webhooks set previous_until = now() - interval '1 second'`)
    await happen()
    await deliver()
    expect([verifies(first), verifies(data.webhookSecret)]).toEqual([false, true])
  })
})

describe('attempts (rules/events#retries)', () => {
  test('are repeated with the same ID, at growing intervals, until the delivery is dead', async () => {
    const { webhookId } = await make()
    const id = await happen()
    receiver.answer(400)
    const waits: number[] = []
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await passTime()
      await deliver()
      const [row] = await sql(
        `select state, attempts, extract(epoch from next_attempt_at - attempted_at)::int as wait from event_deliveries`,
      )
      expect(row.attempts).toBe(attempt)
      if (row.state === 'waiting') waits.push(row.wait)
    }
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 86_400])
    expect(new Set(receiver.received.map((each) => each.id))).toEqual(new Set([`evt_${id}`]))
    expect(await deliveriesOf(webhookId)).toMatchObject([
      { state: 'dead', status: 400, answer: 'received', attempts: 8, nextAttemptAt: '' },
    ])
    await passTime()
    await deliver()
    expect(receiver.received).toHaveLength(8)
  })

  test('wait while the receiver is down, and lose nothing', async () => {
    const { webhookId } = await make()
    await receiver.stop()
    const ids = [await happen(), await happen(), await happen()]
    await deliver()
    // The first failure pauses the webhook: the other deliveries keep their attempts.
    expect((await deliveriesOf(webhookId)).map(({ attempts }) => attempts)).toEqual([0, 0, 1])
    expect((await deliveriesOf(webhookId))[2]).toMatchObject({ state: 'waiting', status: 0 })
    expect((await deliveriesOf(webhookId))[2]?.answer).toMatch(/^UNREACHABLE/)
    expect(await webhookOf(webhookId)).toMatchObject({ state: 'failing', waitingCount: 3 })
    await receiver.start()
    await deliver()
    expect(receiver.received).toEqual([])
    await passTime()
    await deliver()
    expect(receiver.received.map(({ id }) => id).toSorted()).toEqual(ids.map((id) => `evt_${id}`).toSorted())
    expect(await webhookOf(webhookId)).toMatchObject({ state: 'live', waitingCount: 0, failingSince: '' })
  })

  test('are repeated with the same ID if a server is killed before it records the answer', async () => {
    const { webhookId } = await make()
    const id = await happen()
    const killed = new AbortController()
    const outbound: Outbound = async (...request) => {
      await maru.services.outbound(...request)
      killed.abort()
      return expect.unreachable('the server is gone')
    }
    const { keySecret } = maru.services
    await deliverNext({ db: maru.database.db, outbound, keySecret }, killed.signal).catch(() => {})
    // Its lease holds for a minute.
    await deliver()
    expect(receiver.received).toHaveLength(1)
    await passTime()
    await deliver()
    expect(receiver.received.map((each) => each.id)).toEqual([`evt_${id}`, `evt_${id}`])
    expect(await deliveriesOf(webhookId)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  test('share a connection (design/events#delivery)', async () => {
    await make()
    for (let n = 0; n < 5; n += 1) await happen()
    const before = receiver.connections()
    await deliver()
    expect(receiver.received).toHaveLength(5)
    // An earlier one may still be kept.
    expect(receiver.connections() - before).toBeLessThan(2)
  })

  test('leave no listener at the signal of the job, which would slow down the next ones', async () => {
    await make()
    await happen()
    await deliver()
    expect(receiver.received).toHaveLength(1)
    expect(getEventListeners(never, 'abort')).toEqual([])
  })

  test('at one webhook do not delay those of another', async () => {
    await make({ url: 'http://127.0.0.1:1/' })
    await make()
    await happen()
    await happen()
    await deliver()
    expect(receiver.received).toHaveLength(2)
  })

  test('do not follow a redirect to a refused target', async () => {
    const { webhookId } = await make()
    await happen()
    receiver.answer(302, { location: 'http://169.254.169.254/latest/meta-data/' })
    await deliver()
    expect(await deliveriesOf(webhookId)).toMatchObject([{ state: 'waiting', status: 302 }])
    expect(receiver.received).toHaveLength(1)
  })

  test('are refused if a name resolves to a refused target', async () => {
    const { webhookId } = await make({ url: 'https://localhost/' })
    await happen()
    await deliver(createOutbound([]))
    expect((await deliveriesOf(webhookId))[0]?.answer).toMatch(/^REFUSED_TARGET/)
  })

  test('end after five days of failures, and administrators are notified (rules/events#disabled)', async () => {
    const { webhookId } = await make()
    receiver.answer(500)
    await happen()
    await sql(`update webhooks set failing_since = now() - interval '4 days 23 hours'`)
    await deliver()
    expect((await webhookOf(webhookId)).state).toBe('failing')
    await sql(`update webhooks set failing_since = now() - interval '5 days 1 hour'`)
    await passTime()
    await deliver()
    const stopped = await webhookOf(webhookId)
    expect(stopped).toMatchObject({ state: 'stopped', waitingCount: 1 })
    expect(await sql(`select action from audit_log order by id desc limit 1`)).toEqual([
      { action: 'webhook.stop' },
    ])
    const { data } = await maru.call(listNotifications, {}, admin)
    expect(data.notifications[0]).toMatchObject({
      kind: 'WEBHOOK_STOPPED',
      webhookName: stopped.webhookName,
    })
    // A disabled webhook gets no new deliveries. Enabled again, it sends those that wait.
    await happen()
    const { webhookName, url, eventKinds, version } = stopped
    receiver.answer(200)
    await maru.call(
      updateWebhook,
      { webhookId, webhookName, url, eventKinds, version, isEnabled: true },
      admin,
    )
    await passTime()
    await deliver()
    expect(receiver.received.map((each) => (JSON.parse(each.body) as { type: string }).type)).toEqual([
      'team.create',
      'team.create',
      'team.create',
      'webhook.update',
    ])
  })
})

describe('sending again (rules/events#resending)', () => {
  test('makes one delivery due, also one that arrived, with the same ID', async () => {
    const { webhookId } = await make()
    const eventId = await happen()
    await deliver()
    const { data } = await maru.call(resendDeliveries, { webhookId, eventId }, admin)
    expect(data.resentCount).toBe(1)
    await sql(`delete from event_deliveries where audit_id <> $1`, [eventId])
    await deliver()
    expect(receiver.received.map(({ id }) => id)).toEqual([`evt_${eventId}`, `evt_${eventId}`])
    const answer = await maru.call(resendDeliveries, { webhookId, eventId: '999999' }, admin)
    expect(answer.code).toBe('DELIVERY_NOT_FOUND')
  })

  test('makes all dead deliveries due', async () => {
    const { webhookId } = await make()
    const ids = [await happen(), await happen()]
    await happen()
    await sql(`update event_deliveries set state = 'dead', attempts = 8 where audit_id = any($1)`, [ids])
    expect((await webhookOf(webhookId)).deadCount).toBe(2)
    expect((await maru.call(resendDeliveries, { webhookId }, admin)).data.resentCount).toBe(2)
    expect((await webhookOf(webhookId)).deadCount).toBe(0)
    expect((await maru.call(resendDeliveries, { webhookId }, admin)).code).toBe('DELIVERY_NOT_FOUND')
  })
})

describe('webhooks (rules/events#webhooks)', () => {
  test.each([
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://127.0.0.2/',
    'http://203.0.113.7/',
  ])('are not registered for %s', async (url) => {
    const answer = await maru.call(createWebhook, { webhookName: 'x', url }, admin)
    expect(answer.code).toBe('WEBHOOK_URL')
    const { webhookId } = await make()
    const { webhookName, version } = await webhookOf(webhookId)
    const edit = { webhookId, webhookName, url, version, isEnabled: true }
    expect((await maru.call(updateWebhook, edit, admin)).code).toBe('WEBHOOK_URL')
  })

  test('are edited, disabled and deleted, each with its audit row', async () => {
    const { webhookId } = await make()
    const row = await webhookOf(webhookId)
    const edit = { webhookId, webhookName: '새 이름', url: receiver.url, eventKinds: ['team' as const] }
    await maru.call(updateWebhook, { ...edit, isEnabled: false, version: row.version }, admin)
    expect(await webhookOf(webhookId)).toMatchObject({ webhookName: '새 이름', state: 'off' })
    expect(
      (await maru.call(updateWebhook, { ...edit, isEnabled: true, version: row.version }, admin)).code,
    ).toBe('RECORD_CHANGED')
    await maru.call(deleteWebhook, { webhookId }, admin)
    expect((await maru.call(listDeliveries, { webhookId }, admin)).code).toBe('WEBHOOK_NOT_FOUND')
    expect(await sql(`select target, detail from audit_log order by id desc limit 2`)).toMatchObject([
      { target: '새 이름' },
      { detail: { isEnabled: { before: true, after: false }, eventKinds: { before: [], after: ['team'] } } },
    ])
  })

  test('have unique names, and are limited in number', async () => {
    await make()
    const taken = { webhookName: `RECEIVER ${made}`, url: receiver.url }
    expect((await maru.call(createWebhook, taken, admin)).code).toBe('WEBHOOK_NAME_TAKEN')
    for (let n = 1; n < WEBHOOKS_MAX; n += 1) await make()
    expect((await maru.call(createWebhook, { webhookName: 'x', url: receiver.url }, admin)).code).toBe(
      'WEBHOOKS_FULL',
    )
  })

  test('keep their secret encrypted, and encrypt it again after a change of the key secret', async () => {
    const { webhookId, webhookSecret } = await make()
    const { keySecret } = maru.services
    const sealed = async () => (await sql('select secret from webhooks where id = $1', [webhookId]))[0].secret
    const before = (await sealed()) as Buffer
    expect(before.includes(webhookSecret)).toBe(false)
    const next = Buffer.alloc(32, 7)
    expect(await renewWebhookSecrets(maru.database.db, { sealSeeds: [next] })).toBe(1)
    expect(await sealed()).toEqual(before)
    expect(await renewWebhookSecrets(maru.database.db, { sealSeeds: [next, ...keySecret.sealSeeds] })).toBe(0)
    expect(await sealed()).not.toEqual(before)
    expect(await renewWebhookSecrets(maru.database.db, { sealSeeds: [next] })).toBe(0)
    // No known secret decrypts it: deliveries wait.
    await happen()
    await deliver()
    expect((await deliveriesOf(webhookId))[0]).toMatchObject({
      state: 'waiting',
      answer: 'SECRET_UNAVAILABLE',
    })
  })

  test('forget deliveries after 30 days (rules/events#deliveries)', async () => {
    const { webhookId } = await make()
    const old = await happen()
    await happen()
    await maru.owner.query(`update audit_log set at = now() - interval '31 days' where id <= $1`, [old])
    await removeOldDeliveries(maru.database.pool)
    expect(await deliveriesOf(webhookId)).toHaveLength(1)
  })
})
