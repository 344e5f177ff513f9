import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { isDatabaseAway } from './db/unavailable.ts'
import { isStorageAway } from './services/storage/unavailable.ts'

/** Fields of an error that a log line has in addition to its type, message and stack. All others are left out. */
const LOGGED_FIELDS = [
  'code',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'syscall',
  'address',
  'port',
] as const

/**
 * Returns an error in the form in which it is logged; for a thrown value of another type only its text as `message`.
 * Libraries attach more to errors than may be logged: pg attaches the whole client of a broken connection, with the key
 * that cancels its queries, and the values of a row that broke a constraint.
 */
function toLoggedError(error: unknown): Record<string, unknown> {
  // A thrown value can have any type.
  if (!(error instanceof Error)) return { message: String(error) }
  const { type, message, stack, aggregateErrors, ...rest } = stdSerializers.err(error)
  const fields = LOGGED_FIELDS.filter((name) => rest[name] !== undefined).map(
    (name) => [name, rest[name]] as const,
  )
  return {
    type,
    message,
    stack,
    ...Object.fromEntries(fields),
    ...(aggregateErrors && {
      aggregateErrors: error instanceof AggregateError && error.errors.map(toLoggedError),
    }),
  }
}

/**
 * Message of a lost connection, which may be lost without an outage. As the first error of an outage it is not replaced
 * by AWAY.
 */
export const CONNECTION_LOST = 'a database connection was lost'

/** Message of the first error of an outage of the database. The error's own message is in `failed`. */
const AWAY = 'the database is unavailable'

/** Hook of pino that writes or leaves out a log line. */
type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/** Milliseconds without an error after which the database counts as available: jobs use it every second. */
const QUIET_MS = 10_000

/**
 * Creates a hook that logs an outage of the database in two lines: the first error, as AWAY or CONNECTION_LOST, and the
 * end with the number of errors that were left out, because every call and job fails meanwhile. If none was left out,
 * the end is not logged. Other lines pass, also errors of the storage.
 * @param quietMs time without an error after which a timer logs the end
 */
function createOutageFilter(quietMs: number): LogMethod {
  let outage: { since: number; leftOut: number; timer: NodeJS.Timeout } | undefined
  return function logMethod(args, method) {
    const err: unknown = (args[0] as { err?: unknown } | undefined)?.err
    if (!(err instanceof Error) || !isDatabaseAway(err) || isStorageAway(err)) {
      method.apply(this, args)
      return
    }
    if (outage !== undefined) {
      outage.leftOut++
      outage.timer.refresh()
      return
    }
    const timer = setTimeout(() => {
      if (outage === undefined) return
      const { since, leftOut } = outage
      outage = undefined
      const seconds = Math.round((Date.now() - since - quietMs) / 1000)
      if (leftOut > 0) this.warn({ seconds, leftOut }, 'the database is available again')
    }, quietMs)
    outage = { since: Date.now(), leftOut: 0, timer: timer.unref() }
    // The first to fail may be any call or job, whose message would hide the cause. A single connection can be lost without an outage.
    const isNamed = args[1] === CONNECTION_LOST || args[1] === AWAY
    method.apply(this, isNamed ? args : [{ ...(args[0] as object), failed: args[1] }, AWAY])
  }
}

/**
 * Creates the log of a server: one line of JSON per event (rules/running#log).
 * @param level least severe level that is logged, such as 'info'
 * @param to destination of the lines; standard output by default
 * @param quietMs shorter in tests
 */
export function createLog(level: string, to?: DestinationStream, quietMs = QUIET_MS): Logger {
  const hooks = { logMethod: createOutageFilter(quietMs) }
  const options: LoggerOptions = { level, serializers: { err: toLoggedError }, hooks }
  return to === undefined ? pino(options) : pino(options, to)
}
