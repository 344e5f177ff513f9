import { sql } from 'kysely'
import type { AuditAction } from '../../../contract/audit-actions.ts'
import { refuse } from '../../../contract/errors.ts'
import * as contract from '../../../contract/events.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import { pageOf } from '../../db/list.ts'
import { timeText, wireTime } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { versionOf } from '../../db/version.ts'
import type { Call, Handler, Handlers } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { isRefusedTarget } from '../../services/outbound.ts'
import { eventColumns, settledEventId } from './events.ts'
import { newWebhookSecret, sealWebhookSecret } from './secrets.ts'

/** Refusal of a name that another webhook has, by the constraint. */
const NAME_TAKEN = { webhooks_name: 'WEBHOOK_NAME_TAKEN' } as const

/** The fields that the form edits, from `webhooks w`. */
const formColumns = [
  'w.name as webhookName',
  'w.url',
  sql<contract.EventKind[]>`w.kinds`.as('eventKinds'),
  sql<boolean>`w.disabled_at is null`.as('isEnabled'),
] as const

/** Values of a webhook that its form edits. */
type WebhookForm = Record<'webhookName' | 'url', string> & { eventKinds: string[]; isEnabled: boolean }

/** Returns the version of a webhook's form, by which a change notices a concurrent one. */
const digestOf = ({ webhookName, url, eventKinds, isEnabled }: WebhookForm) =>
  versionOf([webhookName, url, eventKinds, isEnabled])

/** Returns the SQL expression for the number of deliveries of a webhook `w` in a state. */
const countOf = (state: contract.DeliveryState) =>
  sql<number>`(select count(*)::int from event_deliveries d where d.webhook_id = w.id and d.state = ${state})`

/**
 * Returns all webhooks, newest first, with their state and the numbers of waiting and dead deliveries. Never returns a
 * secret.
 */
const listWebhooks: Handler<typeof contract.listWebhooks> = async ({ db }) => {
  const rows = await db
    .selectFrom('webhooks as w')
    .innerJoin('users as u', 'u.id', 'w.createdBy')
    .select(formColumns)
    .select((eb) => [
      'w.id as webhookId',
      sql<(typeof contract.WEBHOOK_STATES)[number]>`case when w.disabled_by_job then 'stopped'
        when w.disabled_at is not null then 'off' when w.failing_since is not null then 'failing'
        else 'live' end`.as('state'),
      wireTime(eb.ref('w.createdAt')).as('createdAt'),
      'u.loginId as createdBy',
      sql<string>`case when w.previous_until > now() then ${timeText('w.previousUntil')} else '' end`.as(
        'previousUntil',
      ),
      timeText('w.failingSince').as('failingSince'),
      countOf('waiting').as('waitingCount'),
      countOf('dead').as('deadCount'),
    ])
    .orderBy('w.id', 'desc')
    .execute()
  return { webhooks: rows.map((row) => ({ ...row, version: digestOf(row) })) }
}

/**
 * Refuses a URL to which requests are not allowed. A host name is checked again with each request, by its addresses.
 * @throws {Refusal} WEBHOOK_URL
 */
function requireTarget({ services }: Pick<Call, 'services'>, url: string): void {
  if (isRefusedTarget(url, services.config.outboundHosts)) refuse('WEBHOOK_URL')
}

/**
 * Creates an enabled webhook, with an audit row, and returns its secret, which no other call returns.
 * @throws {Refusal} WEBHOOK_URL, WEBHOOK_NAME_TAKEN; WEBHOOKS_FULL beyond WEBHOOKS_MAX
 */
const createWebhook: Handler<typeof contract.createWebhook> = async (call, input) => {
  const { webhookName: name, url, eventKinds } = input
  requireTarget(call, url)
  return call.db.transaction().execute(async (tx) => {
    // Two concurrent calls could exceed the limit.
    await sql`lock table webhooks in share row exclusive mode`.execute(tx)
    const { n } = await tx
      .selectFrom('webhooks')
      .select(sql<number>`count(*)::int`.as('n'))
      .executeTakeFirstOrThrow()
    if (n >= contract.WEBHOOKS_MAX) return refuse('WEBHOOKS_FULL')
    const webhookSecret = newWebhookSecret()
    const secret = sealWebhookSecret(call.services.keySecret, webhookSecret)
    const { id } = await mapConstraintErrors(NAME_TAKEN, () =>
      tx
        .insertInto('webhooks')
        .values({ name, url, kinds: eventKinds, secret, createdBy: call.actor.id })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    await call.audit(tx, { target: name, detail: { url, eventKinds }, records: null })
    return { webhookId: id, webhookSecret }
  })
}

/**
 * Locks a webhook until the transaction ends, and returns the fields that the form edits.
 * @throws {Refusal} WEBHOOK_NOT_FOUND
 */
async function lockWebhook(tx: Tx, webhookId: string) {
  const row = await tx
    .selectFrom('webhooks as w')
    .select(formColumns)
    .where('w.id', '=', webhookId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? refuse('WEBHOOK_NOT_FOUND')
}

/**
 * Changes a webhook, with an audit row; enabling it ends its failures and its pause. Does nothing if nothing differs.
 * @throws {Refusal} WEBHOOK_NOT_FOUND; RECORD_CHANGED if it changed since `version`; WEBHOOK_NAME_TAKEN; WEBHOOK_URL for a new
 * or newly enabled URL to which requests are not allowed
 */
const updateWebhook: Handler<typeof contract.updateWebhook> = async (call, input) => {
  const { webhookId, version, ...form } = input
  const { webhookName: name, url, eventKinds: kinds, isEnabled } = form
  await call.db.transaction().execute(async (tx) => {
    const before = await lockWebhook(tx, webhookId)
    if (digestOf(before) !== version) return refuse('RECORD_CHANGED')
    const detail = differences(before, form)
    if (Object.keys(detail).length === 0) return
    if (url !== before.url || (isEnabled && !before.isEnabled)) requireTarget(call, url)
    const switched = isEnabled
      ? { disabledAt: null, disabledByJob: false, failingSince: null, pausedUntil: sql<Date>`now()` }
      : { disabledAt: sql<Date>`now()` }
    await mapConstraintErrors(NAME_TAKEN, () =>
      tx
        .updateTable('webhooks')
        .set({ name, url, kinds, ...(isEnabled !== before.isEnabled && switched) })
        .where('id', '=', webhookId)
        .execute(),
    )
    await call.audit(tx, { target: name, detail, records: null })
  })
}

/**
 * Deletes a webhook with its deliveries, and writes an audit row.
 * @throws {Refusal} WEBHOOK_NOT_FOUND
 */
const deleteWebhook: Handler<typeof contract.deleteWebhook> = async (call, { webhookId }) => {
  await call.db.transaction().execute(async (tx) => {
    const { webhookName, url } = await lockWebhook(tx, webhookId)
    await tx.deleteFrom('webhooks').where('id', '=', webhookId).execute()
    await call.audit(tx, { target: webhookName, detail: { url }, records: null })
  })
}

/**
 * Replaces the secret of a webhook, with an audit row, and returns the new one. The previous one also signs for
 * `overlapDays`.
 * @throws {Refusal} WEBHOOK_NOT_FOUND
 */
const rollWebhook: Handler<typeof contract.rollWebhook> = (call, { webhookId, overlapDays }) =>
  call.db.transaction().execute(async (tx) => {
    const { webhookName } = await lockWebhook(tx, webhookId)
    const webhookSecret = newWebhookSecret()
    const overlaps = overlapDays > 0
    await tx
      .updateTable('webhooks')
      .set({
        secret: sealWebhookSecret(call.services.keySecret, webhookSecret),
        previousSecret: overlaps ? sql<Buffer>`secret` : null,
        previousUntil: overlaps ? sql<Date>`now() + make_interval(days => ${overlapDays})` : null,
      })
      .where('id', '=', webhookId)
      .execute()
    await call.audit(tx, { target: webhookName, detail: { overlapDays }, records: null })
    return { webhookSecret }
  })

/**
 * Returns a page of the deliveries of a webhook in a state ('' for all), newest event first.
 * @throws {Refusal} WEBHOOK_NOT_FOUND
 */
const listDeliveries: Handler<typeof contract.listDeliveries> = async ({ db }, input) => {
  const { webhookId, state, ...page } = input
  await requireWebhook(db, webhookId)
  const list = db
    .selectFrom('eventDeliveries as d')
    .innerJoin('auditLog as l', 'l.id', 'd.auditId')
    .select((eb) => [
      'd.auditId as eventId',
      sql<AuditAction>`l.action`.as('action'),
      sql<contract.DeliveryState>`d.state`.as('state'),
      'd.attempts',
      wireTime(eb.ref('l.at')).as('occurredAt'),
      timeText('d.attemptedAt').as('attemptedAt'),
      sql<string>`case when d.state = 'waiting' then ${timeText('d.nextAttemptAt')} else '' end`.as(
        'nextAttemptAt',
      ),
      sql<number>`coalesce(d.status, 0)`.as('status'),
      'd.answer',
    ])
    .where('d.webhookId', '=', webhookId)
    .$if(state !== '', (query) => query.where('d.state', '=', state || 'dead'))
    .orderBy('d.auditId', 'desc')
  const { totalCount, rows } = await pageOf(db, list, page)
  return { totalCount, deliveries: rows }
}

/** Refuses an ID that no webhook has, with WEBHOOK_NOT_FOUND. */
async function requireWebhook(db: Db, webhookId: string): Promise<void> {
  const row = await db.selectFrom('webhooks').select('id').where('id', '=', webhookId).executeTakeFirst()
  if (row === undefined) refuse('WEBHOOK_NOT_FOUND')
}

/**
 * Makes a delivery, or for '' all dead ones of a webhook, due now with all attempts, with an audit row, and wakes the
 * job.
 * @throws {Refusal} WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND if there is none
 */
const resendDeliveries: Handler<typeof contract.resendDeliveries> = async (call, input) => {
  const { webhookId, eventId } = input
  const resentCount = await call.db.transaction().execute(async (tx) => {
    const { webhookName } = await lockWebhook(tx, webhookId)
    const { numUpdatedRows } = await tx
      .updateTable('eventDeliveries')
      .set({ state: 'waiting', attempts: 0, nextAttemptAt: sql<Date>`now()` })
      .where('webhookId', '=', webhookId)
      .where((eb) => (eventId === '' ? eb('state', '=', 'dead') : eb('auditId', '=', eventId)))
      .executeTakeFirst()
    const resent = Number(numUpdatedRows)
    if (resent === 0) return refuse('DELIVERY_NOT_FOUND')
    await call.audit(tx, { target: webhookName, detail: { eventId, rows: resent }, records: null })
    return resent
  })
  call.services.jobs.wake('events')
  return { resentCount }
}

/**
 * Returns the next EVENTS_AT_ONCE events after an ID, oldest first, and the ID from which to continue; for '' no events
 * and the ID of the newest one. Returns no events while an older one is being written (`settledEventId`).
 */
const listEvents: Handler<typeof contract.listEvents> = async (call, { afterId }) => {
  const last = await settledEventId(call.db)
  const events =
    afterId === '' || last === null
      ? []
      : await call.db
          .selectFrom('auditLog as l')
          .select(eventColumns)
          .where('l.id', '>', afterId)
          .where('l.id', '<=', last)
          .orderBy('l.id')
          .limit(contract.EVENTS_AT_ONCE)
          .execute()
  const shown = events.flatMap(({ actor, records }) => (actor === null ? records : [actor, ...records]))
  call.touches(shown.filter(({ kind }) => kind === 'user').map(({ id }) => id))
  return { events, lastEventId: events.at(-1)?.eventId ?? (afterId || (last ?? '')) }
}

/** Handlers of the calls about webhooks, their deliveries, and the events for programs (rules/events). */
export const events: Handlers<'events'> = {
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  rollWebhook,
  listDeliveries,
  resendDeliveries,
  listEvents,
}
