import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'

/** Fields of an error that a log line holds in addition to its type, message and stack. */
const TOLD = [
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
 * Returns an error in the form in which it is logged. Libraries attach more to errors than may be logged: pg attaches the whole
 * client of a broken connection, with the key that cancels its queries, and the values of a row that broke a constraint.
 */
function tellError(error: unknown): Record<string, unknown> {
  // A thrown value can have any type.
  if (!(error instanceof Error)) return { message: String(error) }
  const { type, message, stack, aggregateErrors, ...rest } = stdSerializers.err(error)
  const told = TOLD.filter((name) => rest[name] !== undefined).map((name) => [name, rest[name]] as const)
  return {
    type,
    message,
    stack,
    ...Object.fromEntries(told),
    ...(aggregateErrors && {
      aggregateErrors: error instanceof AggregateError && error.errors.map(tellError),
    }),
  }
}

/** Creates the log of a server: one line of JSON per event. */
export function createLog(level: string, to?: DestinationStream): Logger {
  const options = { level, serializers: { err: tellError } }
  return to === undefined ? pino(options) : pino(options, to)
}
