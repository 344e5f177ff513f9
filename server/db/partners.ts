import type { Transaction } from 'kysely'
import type { Database } from './types.ts'

/**
 * The partner of an affiliation by its code; undefined when it belongs to another one or does not exist. It cannot
 * be deleted before the transaction that is about to name it ends.
 */
export async function findPartnerId(
  tx: Transaction<Database>,
  affiliation: string,
  code: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('partners')
    .select('id')
    .where('code', '=', code)
    .where('affiliation_code', '=', affiliation)
    .forKeyShare()
    .executeTakeFirst()
  return row?.id
}
