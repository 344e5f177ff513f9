import type { FastifyBaseLogger } from 'fastify'
import { PassThrough, type Readable } from 'node:stream'
import { refuse } from '../../../contract/errors.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import type { MountOptions } from '../../http/mount.ts'
import { findLiveSessions, type SignedIn } from '../../http/sessions.ts'
import { findNews, type News } from './news.ts'

/** Largest number of streams of a process, and of a user. A browser has one for each visible window. */
const MOST = 2_000
const MOST_OF_ONE = 8

/**
 * Milliseconds between two polls for new events, by a process that has a stream (design/mail-and-notifications#notifications).
 */
const LOOK_EVERY_MS = 1_000
/** Milliseconds between two checks of the sessions. A stream whose session has ended is closed. */
const CHECK_EVERY_MS = 10_000
/** Milliseconds between two heartbeats of a stream. Proxies close a connection that is silent for a minute. */
const BEAT_EVERY_MS = 20_000
/** Number of streams per second that get an event for everyone, so that not all clients send a request at the same time. */
const TOLD_A_SECOND = 200
/** Unsent bytes after which a stream is closed: its client has stopped reading. */
const MOST_UNSENT = 4_096

const NEW = 'data: new\n\n'
const BEAT = ':\n\n'

/** An open stream, and the facts that decide which events concern its user. */
interface Listener {
  sink: PassThrough
  personId: string
  session: string
  partnerId: string | null
  functions: readonly FunctionName[]
}

/** Open streams of this process. */
export interface Streams {
  /**
   * @returns the event stream of the user, until their session or this server ends
   * @throws {Refusal} TOO_MANY_CALLS, UNAVAILABLE
   */
  open(reader: SignedIn): Readable
  /** Closes all streams. */
  close(): void
}

/** Polls for new events, but only while a stream is open. */
export function openStreams(
  { pool, services, sessionCheckMs = CHECK_EVERY_MS }: MountOptions,
  logger: FastifyBaseLogger,
): Streams {
  const listeners = new Set<Listener>()
  const timers: NodeJS.Timeout[] = []
  let known: Set<string> | undefined
  let isClosed = false

  function start(): void {
    if (timers.length > 0) return
    const lookAgain = unlessRunning(look)
    timers.push(
      setInterval(lookAgain, LOOK_EVERY_MS),
      setInterval(unlessRunning(check), sessionCheckMs),
      setInterval(() => listeners.forEach((listener) => tell(listener, BEAT)), BEAT_EVERY_MS),
    )
    lookAgain()
  }

  function stop(): void {
    for (const timer of timers.splice(0)) clearInterval(timer)
    known = undefined
  }

  /**
   * Returns a function that starts the work unless it is still running, because of two concurrent polls the later one could have
   * older data. If the database is unavailable, streams stay open.
   */
  function unlessRunning(work: () => Promise<void>): () => void {
    let isRunning = false
    return () => {
      if (isRunning) return
      isRunning = true
      void quietly(work).finally(() => (isRunning = false))
    }
  }

  async function quietly(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => logger.warn({ err: error }, 'the streams could not be served'))
  }

  async function look(): Promise<void> {
    const news = await findNews(pool)
    const before = known
    known = new Set(news.map(({ id }) => id))
    const fresh = news.filter(({ id }) => before?.has(id) === false)
    // The first poll has no baseline to compare with, so it notifies every listener.
    const concerned = [...listeners].filter(
      (listener) => before === undefined || fresh.some((event) => isFor(listener, event)),
    )
    concerned.forEach((listener, place) =>
      setTimeout(() => tell(listener, NEW), (place * 1_000) / TOLD_A_SECOND).unref(),
    )
  }

  async function check(): Promise<void> {
    const asked = [...listeners]
    const hashes = asked.map(({ session }) => Buffer.from(session, 'hex'))
    const live = await findLiveSessions(pool, services.config.session, hashes)
    for (const listener of asked) {
      const person = live.get(listener.session)
      if (person === undefined) listener.sink.end()
      else Object.assign(listener, person)
    }
  }

  function tell({ sink }: Listener, words: string): void {
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
      const { id: personId, partnerId, functions } = reader
      const listener = { sink, personId, session, partnerId, functions }
      listeners.add(listener)
      sink.once('close', () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      })
      start()
      // The response starts with its first byte. A new listener sends one request for what existed before.
      sink.write(known === undefined ? BEAT : NEW)
      return sink
    },
    close() {
      isClosed = true
      for (const { sink } of listeners) sink.end()
      stop()
    },
  }
}

function isFor(listener: Listener, { userId, partnerId, needs }: News): boolean {
  if (userId === listener.personId) return true
  if (partnerId !== null && partnerId === listener.partnerId) return true
  return needs !== null && (needs === '' || listener.functions.includes(needs))
}
