import type { WorkerMaru } from '../fixtures/test.ts'

/**
 * Deletes the affiliations that a test added, with their partners, because the lists of other tests begin and end with those of the
 * seed. Moves their users to the head office.
 */
export async function deleteAddedAffiliations({ pool }: WorkerMaru): Promise<void> {
  await pool.query(
    `update users set affiliation_code = 'BEL001', partner_id = null where affiliation_code > 'BEL008'`,
  )
  await pool.query(`delete from codes where group_code = 'COMBEL001' and code > 'BEL008'`)
  await pool.query(`delete from partners where affiliation_code > 'BEL008'`)
}
