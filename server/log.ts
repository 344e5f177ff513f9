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
 * An error as the log holds it. Libraries attach more to their errors than may be read there: pg attaches the whole
 * client of a broken connection, with the key that cancels its queries, and the values of a row that broke a constraint.
 */
function tellError(error: unknown): Record<string, unknown> {
  // Anything can be thrown.
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

/** The log of a server: one line of JSON for each event. */
export function createLog(level: string, to?: DestinationStream): Logger {
  const options = { level, serializers: { err: tellError } }
  return to === undefined ? pino(options) : pino(options, to)
}
