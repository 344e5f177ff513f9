import type { WorkerMaru } from '../fixtures/test.ts'

/** Takes away what a test added: the lists of other tests begin and end with the affiliations of the seed. */
export async function forgetAdded({ pool }: WorkerMaru): Promise<void> {
  await pool.query(`delete from codes where group_code = 'COMBEL001' and code > 'BEL008'`)
  await pool.query(`delete from partners where affiliation_code > 'BEL008'`)
}
