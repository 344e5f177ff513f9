import type pg from 'pg'

/**
 * Statements that do not belong to the call, which `roundTrips` omits: the mail job polls for mails, the test kit reads
 * the audit log, a refusal is logged after its answer, and the access log is written for all waiting calls in one
 * statement (design/access-log#write-before-the-response). The last use of a session is written only by a call that
 * comes half a minute after the one before it, as on a slow machine.
 */
const NOT_OF_THE_CALL =
  /access_log_append|^(?!insert)[^]*\bmails\b|^select action from audit_log|^(?:\/\* prepare \*\/ )?insert into audit_log [^]*\bvalues|^update sessions set last_used_at/

/** The `query` method of a database client. */
type Query = (...args: unknown[]) => unknown

/**
 * Returns the statements that `work` sends to the database through a pool: one round trip each. Omits those of
 * NOT_OF_THE_CALL, and those on connections that were taken from the pool before. Rejects if `work` does.
 */
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
