import type pg from 'pg'

/** A valid token as texts to print: its kind, name with user, day of creation, and day of last use or `never`. */
interface Token {
  kind: string
  name: string
  created: string
  used: string
}

/**
 * Prints the tokens of programs, services and identity providers that are valid after a restore; nothing if there are none. A
 * token that was revoked after the backup is valid again, and the database cannot show which these are.
 */
export async function printTokens(pool: pg.Pool, say: (line: string) => void): Promise<void> {
  const tokens = await findValidTokens(pool)
  if (tokens.length === 0) return
  say(
    'Tokens in force. A token that was ended or rolled over after the backup is in force again, with its former value:',
  )
  for (const { kind, name, created, used } of tokens)
    say(`  ${kind} ${name}, made ${created}, last used ${used}`)
  say(
    'End those that you do not trust on /key/programs, /key/services and /setting/sso before programs can reach the portal.',
  )
}

/** By table: the word for its tokens, and the SQL expression for the name of a token. */
const KINDS: Record<string, readonly [kind: string, name: string]> = {
  service_tokens: ['service', `t.row ->> 'name'`],
  program_tokens: ['program', `t.row ->> 'name'`],
  scim_tokens: [
    'SCIM',
    `(select p.name from identity_providers p where p.id = (t.row ->> 'provider_id')::bigint)`,
  ],
}

/**
 * Returns the valid tokens of services, programs and SCIM clients. Works with the schema of an earlier version: a missing table
 * has no tokens, and each row is read as JSON, because columns may be missing.
 */
async function findValidTokens(pool: pg.Pool): Promise<Token[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [Object.keys(KINDS)],
  )
  const tokens: Token[] = []
  for (const { name } of tables) {
    const [kind, label] = KINDS[name] ?? ['', '']
    const { rows } = await pool.query<Token>(
      `select '${kind}' as kind,
          -- A name may hold control characters, which JSON escapes.
          to_json(${label})::text || coalesce(' of ' || u.login_id, '') as name,
          left(t.row ->> 'created_at', 10) as created, coalesce(left(t.row ->> 'last_used_at', 10), 'never') as used
        from (select to_jsonb(each) as row from ${name} as each) as t
        left join users u on u.id = (t.row ->> 'user_id')::bigint
        where coalesce(t.row ->> 'ended_at', t.row ->> 'revoked_at') is null
          and coalesce((t.row ->> 'expires_at')::timestamptz > now(), true)
        order by t.row ->> 'created_at', name`,
    )
    tokens.push(...rows)
  }
  return tokens
}
