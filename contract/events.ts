import * as z from 'zod/mini'
import { AUDIT_ACTIONS, AUDIT_NOUNS, type AuditAction, type AuditNoun } from './audit-actions.ts'
import { endpoint } from './endpoint.ts'
import { choiceFilter, flag, line, paging, recordId, recordVersion, timestamp, totalCount } from './fields.ts'
import { overlapDays } from './keys/tokens.ts'

/** The most webhooks: an audited change writes a row for each that is on and wants its kind. */
export const WEBHOOKS_MAX = 20
/** Maximum length of a webhook's name, in characters. */
export const WEBHOOK_NAME_LENGTH = 60
/** Maximum length of a webhook's URL, in characters. */
export const WEBHOOK_URL_LENGTH = 500
/** Number of rows on a page of the deliveries. */
export const DELIVERIES_PER_PAGE = 10
/** The most events that one call lists. */
export const EVENTS_AT_ONCE = 100
/** Days for which deliveries are kept. */
export const DELIVERY_DAYS = 30

/** The states of a delivery: it waits for an attempt, has arrived, or is not tried any more. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const
/** A state of a delivery. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The states of a webhook. `failing`: its last attempt failed. `stopped`: the server disabled it after days of failures. */
export const WEBHOOK_STATES = ['live', 'failing', 'off', 'stopped'] as const

/** A kind of events: an audit action, or a noun for all of its actions. */
export type EventKind = AuditAction | AuditNoun

/** Every kind of events that a webhook can want. */
const EVENT_KINDS: readonly EventKind[] = [...AUDIT_NOUNS, ...AUDIT_ACTIONS]
/** Access policy of the calls that manage webhooks. */
const manage = { function: ['autho_service_manage'] } as const

/** The fields of a webhook that its form edits. An empty `eventKinds` means every event. */
export const webhookForm = {
  webhookName: line(WEBHOOK_NAME_LENGTH),
  url: line(WEBHOOK_URL_LENGTH).check(
    z.refine((text) => URL.canParse(text) && /^https?:/.test(new URL(text).protocol), 'urlFormat'),
  ),
  eventKinds: z._default(
    z
      .array(z.enum(EVENT_KINDS, 'codeFormat'), 'notAList')
      .check(z.overwrite((kinds) => EVENT_KINDS.filter((kind) => kinds.includes(kind)))),
    [],
  ),
}

/** Lists the webhooks, newest first (rules/events#webhooks). Secrets are never returned. */
export const listWebhooks = endpoint({
  path: '/evt/v1/get/webhooks',
  summary: 'List the webhooks',
  access: manage,
  output: z.object({
    webhooks: z.array(
      z.object({
        webhookId: z.string(),
        webhookName: z.string(),
        url: z.string(),
        eventKinds: z.array(z.enum(EVENT_KINDS)),
        state: z.enum(WEBHOOK_STATES),
        createdAt: timestamp,
        createdBy: z.string(),
        /** Time until which the previous secret signs too; empty if it does not. */
        previousUntil: z.string(),
        /** Time of the first failure since the last success; empty without one. */
        failingSince: z.string(),
        waitingCount: z.number(),
        deadCount: z.number(),
        /** Version of the form's fields; the client sends it back with an edit. */
        version: z.string(),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Registers a webhook. The response is the only one with its secret. WEBHOOK_URL if requests to the URL are not
 * allowed, WEBHOOK_NAME_TAKEN for a name in use, WEBHOOKS_FULL beyond WEBHOOKS_MAX.
 */
export const createWebhook = endpoint({
  path: '/evt/v1/ins/webhook',
  summary: 'Register a webhook',
  access: manage,
  confirmed: 'always',
  input: z.strictObject(webhookForm),
  output: z.object({ webhookId: z.string(), webhookSecret: z.string() }),
  errors: ['WEBHOOK_NAME_TAKEN', 'WEBHOOK_URL', 'WEBHOOKS_FULL'],
  audit: 'webhook.create',
  personal: 'none',
})

/**
 * Edits a webhook, and enables or disables it. A disabled webhook gets no new deliveries, and those that wait stay.
 * Refusals like `createWebhook`; RECORD_CHANGED if another user has saved since `version`.
 */
export const updateWebhook = endpoint({
  path: '/evt/v1/upd/webhook',
  summary: 'Edit, enable or disable a webhook',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ webhookId: recordId, ...webhookForm, isEnabled: flag, version: recordVersion }),
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_NAME_TAKEN', 'WEBHOOK_URL', 'RECORD_CHANGED'],
  audit: 'webhook.update',
  auditsChangeOnly: true,
  personal: 'none',
})

/** Deletes a webhook with its deliveries. */
export const deleteWebhook = endpoint({
  path: '/evt/v1/del/webhook',
  summary: 'Delete a webhook',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ webhookId: recordId }),
  errors: ['WEBHOOK_NOT_FOUND'],
  audit: 'webhook.delete',
  personal: 'none',
})

/**
 * Replaces the secret of a webhook and returns the new one, this one time. The previous one signs too for `overlapDays`
 * (rules/events#secret).
 */
export const rollWebhook = endpoint({
  path: '/evt/v1/upd/webhookSecret',
  summary: 'Rotate the secret of a webhook',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ webhookId: recordId, overlapDays }),
  output: z.object({ webhookSecret: z.string() }),
  errors: ['WEBHOOK_NOT_FOUND'],
  audit: 'webhook.roll',
  personal: 'none',
})

/**
 * Lists the deliveries of a webhook, newest event first, in one state or all. WEBHOOK_NOT_FOUND for an unknown webhook.
 */
export const listDeliveries = endpoint({
  path: '/evt/v1/get/deliveries',
  summary: 'List the deliveries of a webhook',
  access: manage,
  input: z.strictObject({
    webhookId: recordId,
    state: choiceFilter(DELIVERY_STATES),
    ...paging(DELIVERIES_PER_PAGE),
  }),
  output: z.object({
    totalCount,
    deliveries: z.array(
      z.object({
        rowNumber: z.number(),
        eventId: z.string(),
        action: z.enum(AUDIT_ACTIONS),
        state: z.enum(DELIVERY_STATES),
        attempts: z.number(),
        occurredAt: timestamp,
        /** Empty before the first attempt. */
        attemptedAt: z.string(),
        /** Time of the next attempt; empty if there is none. */
        nextAttemptAt: z.string(),
        /** HTTP status of the last response; 0 without one. */
        status: z.number(),
        /** Start of the last response, or the reason why there was none. */
        answer: z.string(),
      }),
    ),
  }),
  errors: ['WEBHOOK_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
})

/**
 * Makes a delivery of a webhook due again, or all dead ones if `eventId` is empty (rules/events#resending).
 * DELIVERY_NOT_FOUND if there is none.
 */
export const resendDeliveries = endpoint({
  path: '/evt/v1/ins/delivery',
  summary: 'Send one delivery, or all dead ones, again',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({
    webhookId: recordId,
    eventId: z._default(z.union([z.literal(''), recordId], { error: 'recordIdFormat' }), ''),
  }),
  output: z.object({ resentCount: z.number() }),
  errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  audit: 'webhook.resend',
  personal: 'none',
})

/**
 * A record or a user in an event: the ID is never reused; the name is the current login ID or partner code, or null.
 */
const eventRecord = z.object({ kind: z.string(), id: z.string(), name: z.nullable(z.string()) })

/**
 * Lists the events after one, oldest first, for programs that cannot be called (rules/events#pull). Without `afterId` it returns no
 * events, and the ID of the newest one to begin with; 0 begins with the oldest.
 */
export const listEvents = endpoint({
  path: '/evt/v1/get/events',
  summary: 'List the events after one',
  title: { ko: '이벤트 조회', en: 'Read events' },
  access: { function: ['autho_audit_search', 'autho_service_manage'] },
  scope: 'events:read',
  input: z.strictObject({
    afterId: z._default(
      z.string({ error: 'notText' }).check(z.regex(/^(?:[0-9]{1,18})?$/, 'recordIdFormat')),
      '',
    ),
  }),
  output: z.object({
    events: z.array(
      z.object({
        eventId: z.string(),
        type: z.enum(AUDIT_ACTIONS),
        occurredAt: timestamp,
        actor: z.nullable(eventRecord),
        records: z.array(eventRecord),
      }),
    ),
    /** ID to send as `afterId` next. */
    lastEventId: z.string(),
  }),
  audit: 'none',
  personal: ['search', 'told'],
})
