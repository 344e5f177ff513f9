import { sql } from 'kysely'
import type pg from 'pg'
import { DELIVERY_DAYS } from '../../../contract/events.ts'
import { toPlain } from '../../../contract/plain.ts'
import { mayLogIn } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import { recordAudit } from '../../records/audit.ts'
import { OutboundError, type Outbound } from '../../services/outbound.ts'
import type { SealKeys } from '../../services/encryption.ts'
import { eventColumns, type PortalEvent } from './events.ts'
import { openWebhookSecret, signedHeaders } from './secrets.ts'

/** Seconds after each failed attempt until the next one; after the last the delivery is dead (rules/events#retries). */
const RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 86_400]

/** Days since the first of consecutive failures after which a webhook is disabled. */
const STOPPED_AFTER_DAYS = 5

/** Seconds after which another server takes a delivery that was not finished. An attempt gives up well before. */
const LEASE_SECONDS = 60

/** Most characters of a response that are stored. */
const ANSWER_CHARACTERS = 300

/** Services that deliver events. */
interface Deliverer {
  db: Db
  outbound: Outbound
  keySecret: SealKeys
}

/** A delivery that a worker has taken, with its webhook and event. */
interface Delivery extends PortalEvent {
  webhookId: string
  name: string
  url: string
  attempts: number
  secret: Buffer
  /** Null if the previous secret does not sign any more. */
  previousSecret: Buffer | null
}

/** Result of an attempt. */
interface Attempt {
  /** HTTP status; null without a response. */
  status: number | null
  /** Start of the response, or why there was none; at most ANSWER_CHARACTERS of a response. */
  answer: string
}

/**
 * Takes the next due delivery of an event to a webhook, makes one attempt, and stores the result
 * (design/events#delivery). Concurrent workers and servers take different ones. A killed server leaves its delivery to
 * the others, so a receiver may get an event twice, with the same ID.
 * @param signal aborts if the server stops: the attempt does not count
 * @returns false if no delivery was due, or the server stops; true if there may be more
 */
export async function deliverNext(services: Deliverer, signal: AbortSignal): Promise<boolean> {
  const delivery = await takeDue(services.db)
  if (delivery === undefined) return false
  const attempt = await orAborted(send(services, delivery), signal)
  if (attempt === null) return false
  await (isSuccess(attempt) ? succeed(services.db, delivery, attempt) : fail(services.db, delivery, attempt))
  return true
}

/** Returns whether the receiver has accepted the event: with a status of 200 to 299. */
const isSuccess = ({ status }: Attempt) => status !== null && status >= 200 && status < 300

/** Returns whether an attempt shows that the receiver is unavailable, so that its other deliveries would fail too. */
const isUnavailable = ({ status }: Attempt) => status === null || status === 429 || status >= 500

/**
 * Returns the result of an attempt, or null as soon as the signal aborts; the attempt then goes on without effect.
 * Removes its listener, because the signal lives as long as the server.
 */
async function orAborted(attempt: Promise<Attempt>, signal: AbortSignal): Promise<Attempt | null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  const giveUp = () => resolve(null)
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([attempt, promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/**
 * Takes a due delivery of a random enabled and unpaused webhook, and returns it. The delivery is not due again for
 * LEASE_SECONDS, so that no other worker makes it meanwhile.
 * @returns undefined if none is due
 */
async function takeDue(db: Db): Promise<Delivery | undefined> {
  // In random order, so that the events of one webhook do not delay those of another. For each webhook the index finds the next one.
  const { rows } = await sql<Delivery>`
    update event_deliveries d set next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
    from (
      select w.*, due.audit_id
      from (select * from webhooks where disabled_at is null and paused_until <= now() order by random()) as w
      cross join lateral (
        select e.audit_id from event_deliveries e
        where e.webhook_id = w.id and e.state = 'waiting' and e.next_attempt_at <= now()
        order by e.next_attempt_at, e.audit_id limit 1 for update skip locked
      ) as due limit 1
    ) as next join audit_log l on l.id = next.audit_id
    where d.webhook_id = next.id and d.audit_id = next.audit_id
    returning d.webhook_id, d.attempts, next.name, next.url, next.secret,
      case when next.previous_until > now() then next.previous_secret end as previous_secret,
      ${sql.join(eventColumns)}`.execute(db)
  return rows[0]
}

/**
 * Sends the event to the webhook as a POST, signed by the current secret, and by the previous one while that is
 * valid. Stores nothing.
 * @returns the response; without one, status null and the reason in `answer`: SECRET_UNAVAILABLE if no secret can
 * be decrypted, or the failure of the connection
 */
async function send({ outbound, keySecret }: Deliverer, delivery: Delivery): Promise<Attempt> {
  const { url, secret, previousSecret, eventId, type, occurredAt, actor, records } = delivery
  const secrets = [secret, previousSecret].flatMap((sealed) =>
    sealed === null ? [] : (openWebhookSecret(keySecret, sealed) ?? []),
  )
  if (secrets.length === 0) return { status: null, answer: 'SECRET_UNAVAILABLE' }
  const { occurredAt: timestamp } = toPlain({ occurredAt }) as { occurredAt: string }
  const body = JSON.stringify({ type, timestamp, data: { eventId, actor, records } })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Maru',
    ...signedHeaders(`evt_${eventId}`, body, secrets, Date.now()),
  }
  try {
    const answer = await outbound(url, { method: 'POST', headers, body, isRepeatable: true })
    // PostgreSQL stores no NUL, and half of a pair of surrogates is no text.
    const text = (await answer.text()).slice(0, ANSWER_CHARACTERS).replaceAll('\0', '').toWellFormed()
    return { status: answer.status, answer: text }
  } catch (error) {
    if (error instanceof OutboundError) return { status: null, answer: `${error.failure}: ${error.message}` }
    throw error
  }
}

/**
 * Stores that a delivery succeeded. If its webhook was failing, also ends its failure and pause, so that its other
 * deliveries may be attempted immediately when due.
 */
async function succeed(db: Db, of: Delivery, { status }: Attempt): Promise<void> {
  await sql`
    with healed as (
      update webhooks set failing_since = null, paused_until = now()
      where id = ${of.webhookId} and failing_since is not null
    )
    update event_deliveries set state = 'delivered', attempts = attempts + 1, attempted_at = now(),
      status = ${status}, answer = ''
    where webhook_id = ${of.webhookId} and audit_id = ${of.eventId}`.execute(db)
}

/**
 * Stores a failed attempt, and when the next one is due (RETRY_SECONDS); after the last one marks the delivery as
 * dead. If the receiver is unavailable, also pauses its webhook for a tenth of the time that it has been failing,
 * 5 seconds to 5 minutes. Disables a webhook that has been failing for STOPPED_AFTER_DAYS (`recordStop`).
 */
async function fail(db: Db, of: Delivery, attempt: Attempt): Promise<void> {
  const seconds = RETRY_SECONDS[of.attempts]
  await db.transaction().execute(async (tx) => {
    await sql`
      update event_deliveries set attempts = attempts + 1, attempted_at = now(), status = ${attempt.status},
        answer = ${attempt.answer}, state = ${seconds === undefined ? 'dead' : 'waiting'},
        next_attempt_at = now() + make_interval(secs => ${seconds ?? 0})
      where webhook_id = ${of.webhookId} and audit_id = ${of.eventId}`.execute(tx)
    const { rows } = await sql<{ isStopped: boolean }>`
      update webhooks set failing_since = coalesce(failing_since, now()),
        paused_until = case when ${isUnavailable(attempt)}
          then now() + least('5 minutes', greatest('5 seconds', (now() - coalesce(failing_since, now())) / 10))
          else paused_until end,
        disabled_by_job = coalesce(failing_since < now() - make_interval(days => ${STOPPED_AFTER_DAYS}), false),
        disabled_at = case when failing_since < now() - make_interval(days => ${STOPPED_AFTER_DAYS}) then now() end
      where id = ${of.webhookId} and disabled_at is null
      returning disabled_by_job as is_stopped`.execute(tx)
    if (rows[0]?.isStopped === true) await recordStop(tx, of.name)
  })
}

/**
 * Writes the audit row `webhook.stop` of a webhook that the server disabled. Notifies in the portal every user who
 * may log in and manages services (`autho_service_manage`).
 */
async function recordStop(tx: Db, name: string): Promise<void> {
  const row = { action: 'webhook.stop', target: name, records: null, address: '', requestId: '' } as const
  await recordAudit(tx, row)
  await sql`
    insert into notifications (kind, user_id, detail)
    select 'WEBHOOK_STOPPED', u.id, ${JSON.stringify({ webhookName: name })}::jsonb from users u
    where ${mayLogIn('u')} and u.role_code in
      (select role_code from role_functions where function_name = 'autho_service_manage')`.execute(tx)
}

/**
 * Deletes deliveries of events that are older than DELIVERY_DAYS, also those that were not delivered
 * (rules/events#deliveries). Their events stay in the audit log.
 */
export async function removeOldDeliveries(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from event_deliveries using webhooks w
      where webhook_id = w.id and audit_id <= (
        select id from audit_log where at < now() - make_interval(days => $1)
        order by at desc, id desc limit 1)`,
    [DELIVERY_DAYS],
  )
}
