import type { Kysely } from 'kysely'
import type { Database } from './types.ts'

/** Whether a code group holds a code. */
export async function hasCode(db: Kysely<Database>, group: string, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('codes')
    .select('code')
    .where('group_code', '=', group)
    .where('code', '=', code)
    .executeTakeFirst()
  return row !== undefined
}
