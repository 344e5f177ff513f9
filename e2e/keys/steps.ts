import { holderOf, partnerWith } from '../../dev/test-kit/keys.ts'
import type { WorkerMaru } from '../fixtures/test.ts'

/** A partner in a district that the demo data does not use, with a key a day of August 2031. */
export async function makeKeys(server: WorkerMaru, count: number, name: string) {
  const partner = await partnerWith(
    { ...server, database: server },
    { affiliation: 'BEL002', province: '울산광역시', district: '울주군', limits: { day: 5, total: count } },
  )
  const holder = await holderOf({ ...server, database: server }, partner, { name })
  await server.pool.query(
    `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name, issued_at)
     select $1, '단말기-' || n, $2, 'BEL002', '울산광역시', '울주군', timestamptz '2031-08-01 09:00+09' + n * interval '1 day'
     from generate_series(0, $3::int - 1) as n`,
    [holder.id, partner.id, count],
  )
  return { partner, holder }
}
