import { sql, type Transaction } from 'kysely'
import type { KeySecret } from '../../server/services/key-secret.ts'
import type { Database } from '../../server/db/types.ts'
import type { DemoKey } from './keys.ts'

/** Puts the keys into the database. */
export async function writeKeys(
  tx: Transaction<Database>,
  keys: readonly DemoKey[],
  idsOf: (key: DemoKey) => { user_id: string; partner_id: string },
): Promise<void> {
  await tx
    .insertInto('issued_keys')
    .values(
      keys.map((key) => ({
        ...idsOf(key),
        request_key: key.requestKey,
        affiliation_code: key.partner.affiliationCode,
        province_name: key.partner.provinceName,
        district_name: key.partner.districtName,
        issued_at: key.issuedAt,
      })),
    )
    .execute()
  // Issued one by one they would have left a warning where they came near the total (rules/keys#limit-warnings).
  await sql`insert into key_warnings (partner_id, period, starts_on, key_limit, mark)
    select p.id, 'total', '1900-01-01', p.limit_total, 80 from partners p join issued_keys k on k.partner_id = p.id
    where p.limit_total > 0 group by p.id having count(*) * 100 >= p.limit_total * 80`.execute(tx)
}

/** As the first key of a secret does when it is issued (rules/keys#changed-secret). */
export async function writeKeySecret(
  tx: Transaction<Database>,
  keys: readonly DemoKey[],
  { fingerprint }: Pick<KeySecret, 'fingerprint'>,
): Promise<void> {
  const since = keys[0]?.issuedAt
  if (since !== undefined)
    await tx.insertInto('key_secrets').values({ version: 1, fingerprint, since }).execute()
}
