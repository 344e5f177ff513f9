import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isIP } from 'node:net'
import type { searchLeak } from '../../../../contract/audit.ts'
import type { ParsedInputOf } from '../../../../contract/endpoint.ts'
import { refuse } from '../../../../contract/errors.ts'
import { TOKEN_MARK } from '../../../callers/bearer-tokens.ts'
import { fromWireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'

/** Input of a search for the data subjects of a leak, without its incident. */
type Asked = Omit<ParsedInputOf<typeof searchLeak>, 'incidentId'>

/**
 * Source of a leak as a search enters it: the rows of the access log that an account, an address, a token or an export
 * caused in a period.
 */
export interface Origin {
  /** SQL condition on rows `l`. */
  isCaused: RawBuilder<boolean>
  from: RawBuilder<Date>
  to: RawBuilder<Date>
  /** users.id of the account; null for other origins. */
  accountId: string | null
  /** Stored value; '' for an account, whose login ID can change. */
  value: string
}

/**
 * SQL pattern of `like` for a row with a token, as in the index of these rows. It is written into the statement, because with a
 * parameter PostgreSQL would not use the index.
 */
const TOKEN_LIKE = `%${TOKEN_MARK}%`
/** SQL pattern that extracts the token of such a row, as in the index. */
const TOKEN_PATTERN = `${TOKEN_MARK}(.*)$`
/** Days before and after a row of an export in which its other rows were written. */
const EXPORT_DAYS = 1

/**
 * Returns the SQL conditions for the source that a search enters (rules/audit#leak-search). Does not read the access
 * log, except for the row of an export.
 * @throws {Refusal} LEAK_ORIGIN_NOT_FOUND if there is no such account, token or export, or the value is no IP address
 */
export async function findOrigin(db: Kysely<Database>, asked: Asked): Promise<Origin> {
  const value = asked.originValue
  const period = { from: fromWireTime(asked.searchedFrom), to: fromWireTime(asked.searchedTo) }
  switch (asked.leakOrigin) {
    case 'ACCOUNT': {
      const accountId = await accountOf(db, value)
      return { ...period, isCaused: sql`l.actor_id = ${accountId}::bigint`, accountId, value: '' }
    }
    case 'ADDRESS': {
      if (isIP(value) === 0) refuse('LEAK_ORIGIN_NOT_FOUND')
      // A server that listens on IPv6 sees an IPv4 address in this form.
      const addresses = isIP(value) === 4 ? [value, `::ffff:${value}`] : [value.toLowerCase()]
      return { ...period, isCaused: sql`l.address = any(${addresses}::text[])`, accountId: null, value }
    }
    case 'TOKEN': {
      const tokens = await tokensOf(db, value)
      // The first condition is the one of the index.
      const isCaused = sql<boolean>`(l.detail like ${sql.lit(TOKEN_LIKE)}
        and substring(l.detail from ${sql.lit(TOKEN_PATTERN)}) = any(${tokens}::text[]))`
      return { ...period, isCaused, accountId: null, value }
    }
    case 'EXPORT':
      return exportOf(db, value)
  }
}

/**
 * Returns users.id of the account that has a login ID, or had it if no other account has it now.
 * @throws {Refusal} LEAK_ORIGIN_NOT_FOUND
 */
async function accountOf(db: Kysely<Database>, loginId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from users where login_id = ${loginId.toLowerCase()}
    union all select user_id from login_ids where login_id = ${loginId.toLowerCase()} limit 1`.execute(db)
  return rows[0]?.id ?? refuse('LEAK_ORIGIN_NOT_FOUND')
}

/**
 * Returns the tokens of programs, services and identity providers with this name, in the form of the access log, such
 * as 'program/7'.
 * @throws {Refusal} LEAK_ORIGIN_NOT_FOUND if there is none
 */
async function tokensOf(db: Kysely<Database>, name: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select 'program/' || id as key from program_tokens where lower(name) = lower(${name})
    union all select 'service/' || id from service_tokens where lower(name) = lower(${name})
    union all select 'scim/' || id from identity_providers where lower(name) = lower(${name})`.execute(db)
  return rows.length === 0 ? refuse('LEAK_ORIGIN_NOT_FOUND') : rows.map(({ key }) => key)
}

/**
 * Returns the origin for all rows of an export.
 * @param accessId ID of one of its rows, such as '202611-1234'
 * @throws {Refusal} LEAK_ORIGIN_NOT_FOUND if there is no such row of an export
 */
async function exportOf(db: Kysely<Database>, accessId: string): Promise<Origin> {
  const [, year, month, position] = /^(20\d{2})(0[1-9]|1[0-2])-([1-9]\d{0,11})$/.exec(accessId) ?? []
  if (position === undefined) refuse('LEAK_ORIGIN_NOT_FOUND')
  const row = await db
    .selectFrom('accessLog')
    .select(['at', 'actorId', 'requestId'])
    .where('month', '=', `${year}-${month}-01`)
    .where('position', '=', position)
    .where('act', '=', 'export')
    .executeTakeFirst()
  if (row === undefined) refuse('LEAK_ORIGIN_NOT_FOUND')
  const { at, actorId, requestId } = row
  return {
    isCaused: sql`(l.actor_id = ${actorId}::bigint and l.request_id = ${requestId} and l.act = 'export')`,
    from: sql`(${at}::timestamptz - make_interval(days => ${EXPORT_DAYS}))`,
    to: sql`(${at}::timestamptz + make_interval(days => ${EXPORT_DAYS}))`,
    accountId: actorId,
    value: accessId,
  }
}
