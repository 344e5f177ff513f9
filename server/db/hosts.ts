import { callbackify } from 'node:util'
import pg from 'pg'
import { StartRefusal } from '../start-refusal.ts'

/** One server of several that hold the same data. */
interface Place {
  host: string
  port: number
}

const PROBE_MS = 3_000

/**
 * How to connect by a URL. With several hosts, or `target_session_attrs=read-write`, as libpq knows them, each new
 * connection is to the one that takes writes, wherever that is by now (rules/running#several-hosts, ADR 044).
 * @throws {StartRefusal} when the hosts cannot be read
 */
export function connectionOf(url: string): pg.PoolConfig {
  const [, head = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  const wantsPrimary = /[?&]target_session_attrs=(read-write|primary)\b/.test(rest)
  if (!hosts.includes(',') && !wantsPrimary) return { connectionString: url }
  const places = hosts.split(',').map(readPlace)
  const connectionString = `${head}${hosts.split(',')[0]}${rest}`
  return { connectionString, Client: clientOfPrimary(places, connectionString) }
}

function readPlace(text: string): Place {
  const [, bracketed, bare, port = '5432'] =
    /^(?:\[([\da-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = bracketed ?? bare
  if (host === undefined)
    throw new StartRefusal(
      'DATABASE_URL: its hosts cannot be read. Several look like postgres://user:password@a:5432,b:5432/name.',
    )
  return { host, port: Number(port) }
}

/** None takes writes, as while a failover is under way; SQLSTATE 08001 says that a connection could not be made. */
class NoPrimaryError extends Error {
  readonly code = '08001'
}

/** Makes the class of connections to whichever place takes writes; all of them know of each other's finds. */
function clientOfPrimary(places: readonly Place[], connectionString: string): new () => pg.Client {
  let known: Place | undefined
  let looking: Promise<Place> | undefined

  async function look(): Promise<Place> {
    try {
      known = await Promise.any(places.map((place) => probe(place, connectionString)))
      return known
    } catch (error) {
      const reasons = (error as AggregateError).errors.map((each) => (each as Error).message)
      throw new NoPrimaryError(`none of the hosts takes writes (${reasons.join('; ')})`, { cause: error })
    } finally {
      looking = undefined
    }
  }

  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      // Until the pool listens.
      this.on('error', () => {})
      this.query = dropReadOnly(this, () => (known = undefined))
    }

    override connect(): Promise<pg.Client>
    override connect(done: (error: Error | null) => void): void
    override connect(done?: (error: Error | null) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect()
      if (done === undefined) return connected
      // The pool asks with a callback.
      callbackify(() => connected)((error) => done(error))
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      try {
        Object.assign(this, known ?? (await (looking ??= look())))
        await super.connect()
        await refuseReadOnly(this)
        return this
      } catch (error) {
        known = undefined
        throw error
      }
    }
  }
}

async function probe(place: Place, connectionString: string): Promise<Place> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  client.on('error', () => {})
  try {
    await Object.assign(client, place).connect()
    await refuseReadOnly(client)
    return place
  } finally {
    // Not waited for: a host that has vanished does not answer this either.
    void client.end()
  }
}

async function refuseReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'off') return
  await client.end()
  throw new NoPrimaryError(`${client.host}:${client.port} takes no writes`)
}

/** A connection through a proxy may find another server behind it: one that takes no writes is used no more. */
function dropReadOnly(client: pg.Client, onDrop: () => void): pg.Client['query'] {
  const query = client.query.bind(client) as (...asked: unknown[]) => unknown
  const watched = (...asked: unknown[]) => {
    const answer = query(...asked)
    if (answer instanceof Promise)
      answer.catch((error: { code?: unknown }) => {
        if (error.code !== READ_ONLY) return
        onDrop()
        void client.end()
      })
    return answer
  }
  return watched as pg.Client['query']
}

/** SQLSTATE of a write that a standby refuses. */
const READ_ONLY = '25006'
