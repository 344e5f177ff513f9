import { today } from './sql.ts'
import type { Tx } from './database.ts'

/**
 * Claims today's run of a job (Asia/Seoul) for this transaction. If the transaction fails, the run is free again.
 * @returns false if the job has run today, or runs on another server
 */
export async function claimDailyRun(tx: Tx, job: string): Promise<boolean> {
  const claimed = await tx
    .insertInto('dailyRuns')
    .values({ job, day: today })
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst()
  return claimed !== undefined
}
