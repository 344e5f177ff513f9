import { today } from './sql.ts'
import type { Tx } from './database.ts'

/**
 * Claims today's run of a job (Asia/Seoul) for this transaction. If the transaction fails, the run is free again. Waits while
 * another server's transaction has claimed it.
 * @param job name of the job
 * @returns false if the job has run today
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
