import type { Transaction } from 'kysely'
import { today } from './sql.ts'
import type { Database } from './types.ts'

/**
 * Takes the job of a Korean day, with all that the transaction does for it.
 * @returns false when it was done, or another server does it
 */
export async function takeDay(tx: Transaction<Database>, job: string): Promise<boolean> {
  const taken = await tx
    .insertInto('daily_runs')
    .values({ job, day: today })
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst()
  return taken !== undefined
}
