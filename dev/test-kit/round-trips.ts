import type pg from 'pg'

/**
 * The mail job looks for mails beside it, the test kit at what is on record, a refusal is put there after its answer, and the
 * access log is written for all calls that wait, in a statement of their own (design/access-log#write-before-the-response). When a session was last used is
 * written only by a call that comes half a minute after the one before it, as on a slow machine.
 */
const NOT_OF_THE_CALL =
  /access_log_append|^(?!insert)[^]*\bmails\b|^select action from audit_log|^insert into audit_log [^]*\bvalues|^update sessions set last_used_at/

type Query = (...args: unknown[]) => unknown

/** The statements that are sent to the database meanwhile, each of which is a round trip. */
export async function roundTrips(pool: pg.Pool, work: () => Promise<unknown>): Promise<string[]> {
  const heard: string[] = []
  const listening = new Map<pg.PoolClient, Query>()
  const listen = (client: pg.PoolClient) => {
    if (listening.has(client)) return
    const query = client.query.bind(client) as Query
    listening.set(client, query)
    client.query = ((...args: unknown[]) => {
      const [asked] = args
      const text = typeof asked === 'string' ? asked : String((asked as { text?: unknown }).text)
      if (!NOT_OF_THE_CALL.test(text)) heard.push(text)
      return query(...args)
    }) as typeof client.query
  }
  pool.on('acquire', listen)
  try {
    await work()
  } finally {
    pool.off('acquire', listen)
    for (const [client, query] of listening) client.query = query as typeof client.query
  }
  return heard
}
