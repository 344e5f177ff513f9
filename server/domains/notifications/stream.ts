import type { FastifyInstance, FastifyBaseLogger } from 'fastify'
import { countUnreadNotifications, NOTIFICATION_STREAM_PATH } from '../../../contract/notifications/count.ts'
import { API_BASE } from '../../../contract/envelope.ts'
import { authorize } from '../../http/authorize.ts'
import type { MountOptions } from '../../http/mount.ts'
import { refuseCrossSite } from '../../http/cross-site.ts'
import { PassThrough, type Readable } from 'node:stream'
import { refuse } from '../../../contract/errors.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { findLiveSessions, type SignedIn } from '../../callers/sessions.ts'
import type pg from 'pg'
import { createEventPacer } from './event-pacer.ts'

/**
 * Mounts the endpoint of the server-sent events that tell a page "something is new" for its user, without contents
 * (design/mail-and-notifications#notifications). Opening a stream is queued, counted and refused like a call, and also refused
 * beyond the limits of `open`. An open stream uses no slot and is no activity of its session. It ends with the session, and all
 * streams when the server stops.
 */
export function mountNotificationStream(app: FastifyInstance, options: MountOptions): void {
  const streams = openStreams(options, app.log)
  // Before the server waits for open connections.
  app.addHook('preClose', async () => streams.close())

  app.route({
    method: 'GET',
    url: API_BASE + NOTIFICATION_STREAM_PATH,
    exposeHeadRoute: false,
    onRequest: refuseCrossSite,
    async handler(request, reply) {
      const reader = await authorize(request, countUnreadNotifications, options)
      await options.callLimits.use(countUnreadNotifications.perPerson, reader.id)
      const stream = streams.open(reader)
      // A proxy that buffers the response would never pass on an event.
      reply.header('X-Accel-Buffering', 'no').header('Cache-Control', 'no-store')
      return reply.type('text/event-stream').send(stream)
    },
  })
}

/** Most open streams of a process. */
const MOST = 2_000
/** Most open streams of a user in a process. A browser has one for each visible window. */
const MOST_OF_ONE = 8

/**
 * Milliseconds between two polls for new events, by a process that has a stream (design/mail-and-notifications#notifications).
 */
const POLL_EVERY_MS = 1_000
/** Milliseconds between two checks of the sessions. A stream whose session has ended is closed. */
const CHECK_EVERY_MS = 10_000
/** Milliseconds between two heartbeats of a stream. Proxies close a connection that is silent for a minute. */
const HEARTBEAT_EVERY_MS = 20_000
/** Unsent bytes after which a stream is closed: its client has stopped reading. */
const MOST_UNSENT = 4_096

/** Bytes of an event. */
const NEW_EVENT = 'data: new\n\n'
/** Bytes of a heartbeat: a comment, which clients ignore. */
const HEARTBEAT = ':\n\n'

/** An open stream, and the facts that decide which events concern its user. */
interface Listener {
  sink: PassThrough
  /** users.id. */
  personId: string
  /** Hash of the session in hexadecimal digits. */
  session: string
  /** partners.id; null without a partner. */
  partnerId: string | null
  functions: readonly FunctionName[]
  /** Codes of the affiliations that the user's role reaches; null for all. */
  within: readonly string[] | null
  /** Codes of the affiliations of an external company; null for users of the portal's own. */
  company: readonly string[] | null
}

/** Open streams of this process. */
interface Streams {
  /**
   * Opens an event stream of the user. It ends with their session or this server.
   * @throws {Refusal} TOO_MANY_CALLS if the user has too many, UNAVAILABLE if the process has too many or ends
   */
  open(reader: SignedIn): Readable
  /** Closes all streams. */
  close(): void
}

/**
 * Creates the event streams of this process. Polls for new events only while a stream is open. A failed poll is logged, and the
 * streams stay open.
 */
function openStreams(
  { pool, services, sessionCheckMs = CHECK_EVERY_MS }: MountOptions,
  logger: FastifyBaseLogger,
): Streams {
  const listeners = new Set<Listener>()
  const timers: NodeJS.Timeout[] = []
  let recent: NewEvent[] = []
  let isClosed = false
  const announce = createEventPacer<Listener>((listener) => write(listener, NEW_EVENT))

  /** Starts polling, checks of the sessions and heartbeats, unless they run. */
  function start(): void {
    if (timers.length > 0) return
    const pollAgain = unlessRunning(poll)
    timers.push(
      setInterval(pollAgain, POLL_EVERY_MS),
      setInterval(unlessRunning(endExpiredStreams), sessionCheckMs),
      setInterval(() => listeners.forEach((listener) => write(listener, HEARTBEAT)), HEARTBEAT_EVERY_MS),
    )
    pollAgain()
  }

  /** Stops polling, checks and heartbeats. */
  function stop(): void {
    for (const timer of timers.splice(0)) clearInterval(timer)
    recent = []
  }

  /**
   * Returns a function that starts the work unless it is still running: a second poll could return older data. If the database
   * is unavailable, streams stay open.
   */
  function unlessRunning(work: () => Promise<void>): () => void {
    let isRunning = false
    return () => {
      if (isRunning) return
      isRunning = true
      void logFailure(work).finally(() => (isRunning = false))
    }
  }

  /** Waits for the work, and logs its failure instead of throwing it. */
  async function logFailure(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => logger.warn({ err: error }, 'event streams could not be sent'))
  }

  /** Announces the events since the previous poll to the streams whose users they concern. */
  async function poll(): Promise<void> {
    const news = await findNewEvents(pool)
    const known = new Set(recent.map(({ id }) => id))
    recent = news
    const fresh = news.filter(({ id }) => !known.has(id))
    for (const listener of listeners) if (fresh.some((event) => isFor(listener, event))) announce(listener)
  }

  /** Ends the streams whose sessions have ended, and updates the permissions of the others' users. */
  async function endExpiredStreams(): Promise<void> {
    const asked = [...listeners]
    const hashes = asked.map(({ session }) => Buffer.from(session, 'hex'))
    const live = await findLiveSessions(pool, services.settings.session(), hashes)
    for (const listener of asked) {
      const person = live.get(listener.session)
      if (person === undefined) listener.sink.end()
      else Object.assign(listener, person)
    }
  }

  /** Writes to a stream, or closes it if more than MOST_UNSENT bytes wait for its client. */
  function write({ sink }: Listener, words: string): void {
    if (sink.writableLength + sink.readableLength > MOST_UNSENT) sink.destroy()
    else if (!sink.writableEnded) sink.write(words)
  }

  return {
    open(reader) {
      if (isClosed || listeners.size >= MOST) refuse('UNAVAILABLE', { retryAfterSeconds: 60 })
      const own = [...listeners].filter(({ personId }) => personId === reader.id)
      if (own.length >= MOST_OF_ONE) refuse('TOO_MANY_CALLS', { retryAfterSeconds: 60 })
      const sink = new PassThrough()
      const session = reader.tokenHash.toString('hex')
      const { id: personId, partnerId, functions, within, company } = reader
      const listener = { sink, personId, session, partnerId, functions, within, company }
      listeners.add(listener)
      sink.once('close', () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      })
      start()
      // The response starts with its first byte. Recent events may be newer than what the page has read.
      sink.write(recent.some((event) => isFor(listener, event)) ? NEW_EVENT : HEARTBEAT)
      return sink
    },
    close() {
      isClosed = true
      for (const { sink } of listeners) sink.end()
      stop()
    },
  }
}

/** Returns whether an event concerns the user of a stream. */
function isFor(
  listener: Listener,
  { userId, partnerId, needs, affiliationCode, companies }: NewEvent,
): boolean {
  if (userId === listener.personId) return true
  if (partnerId !== null && partnerId === listener.partnerId) return true
  if (needs === null) return false
  // People of another company learn of no notice of others (rules/affiliations#external).
  if (needs === '') return listener.company?.some((code) => companies?.includes(code) === true) ?? true
  const isWithin = affiliationCode === null || (listener.within?.includes(affiliationCode) ?? true)
  return isWithin && listener.functions.includes(needs)
}

/** A new event, and the users whom it concerns. */
interface NewEvent {
  id: string
  /** users.id */
  userId: string | null
  /** partners.id */
  partnerId: string | null
  /** Permission whose holders the event concerns; '' for all users. */
  needs: FunctionName | '' | null
  /** Affiliation of the record, outside of which a branch role does not reach; null for none. */
  affiliationCode: string | null
  /** Affiliations of the author and the audience of a notice; null for other events. */
  companies: string[] | null
}

/** Seconds for which a poll finds an event: longer than the transaction of a call may take from the event to its commit. */
const WINDOW_SECONDS = 30

/**
 * Returns the events of the last WINDOW_SECONDS, from all servers. The caller must skip those it has seen. An index
 * finds the few rows of each kind.
 */
async function findNewEvents(pool: pg.Pool): Promise<NewEvent[]> {
  const { rows } = await pool.query<NewEvent>({
    name: 'notifications-news',
    text: `
      with since as (select now() - interval '${WINDOW_SECONDS} seconds' as at)
      select id::text, user_id as "userId", partner_id as "partnerId",
        case when partner_id is not null then 'autho_partner_search' end as needs,
        (select p.affiliation_code from partners p where p.id = partner_id) as "affiliationCode", null::text[] as companies
        from notifications where at > (select at from since)
      union all
      select 'n' || id, null, null, '', null, audience_affiliations || (select u.affiliation_code from users u where u.id = author_id)
        from notices
        where published_at > (select at from since) and published_at <= now()
      union all
      select 'r' || id, null, null, 'autho_user_manage', affiliation_code, null from approval_requests
        where state = 'waiting' and kind = 'account' and requested_at > (select at from since)
      union all
      select 'd' || id, null, null, 'autho_user_manage', affiliation_code, null from approval_requests
        where decided_at > (select at from since)
      union all
      select 'f' || f.id, null, null, 'autho_user_manage', u.affiliation_code, null from factor_resets f
        join users u on u.id = f.user_id
        where state = 'waiting' and asked_at > (select at from since)
      union all
      select to_char(h.month, '"i"YYYYMM'), null, null, 'autho_audit_manage', null, null from access_log_heads h
        where (h.month + interval '1 month')::timestamp at time zone 'Asia/Seoul' between (select at from since) and now()
      union all
      select to_char(q.quarter, '"q"YYYYQ'), null, null, 'autho_role_manage', null, null
        from (select date_trunc('quarter', now() at time zone 'Asia/Seoul') as quarter) as q
        where q.quarter at time zone 'Asia/Seoul' > (select at from since) and q.quarter >= (select reviews_from from settings)`,
  })
  return rows
}
