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

/** Whether there is a role of this code (AUTHORITYS_CODE). */
export async function hasRole(db: Kysely<Database>, code: string): Promise<boolean> {
  const row = await db.selectFrom('roles').select('code').where('code', '=', code).executeTakeFirst()
  return row !== undefined
}
