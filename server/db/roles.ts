import type { Transaction } from 'kysely'
import type { FunctionName } from '../../contract/permissions.ts'
import type { Database } from './types.ts'

/**
 * What a role holds; undefined when there is none of this code. Locked as a reference to it would: it is not removed,
 * and nothing is granted to it, before the transaction ends.
 */
export async function lockRole(tx: Transaction<Database>, code: string): Promise<FunctionName[] | undefined> {
  const role = await tx
    .selectFrom('roles')
    .select('code')
    .where('code', '=', code)
    .forKeyShare()
    .executeTakeFirst()
  if (role === undefined) return undefined
  const rows = await tx
    .selectFrom('role_functions')
    .select('function_name')
    .where('role_code', '=', code)
    .execute()
  return rows.map((row) => row.function_name as FunctionName)
}
