import { sql } from 'kysely'
import type pg from 'pg'
import { refuse } from '../../../contract/errors.ts'
import { today } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'

/** Bytes of a megabyte, as in the limits of files. */
const MB = 1024 ** 2

/**
 * Reserves bytes of the user's daily quota (rules/files#upload-quota). Concurrent uploads of a user wait for each other
 * here. A day is a day in Seoul.
 * @param tx the transaction that inserts the upload: a refusal rolls the reservation back
 * @param quotaMb megabytes per user and day; 0 for no limit
 * @throws {Refusal} UPLOAD_QUOTA if the quota has less left, with the used and the allowed megabytes
 */
export async function reserveQuota(
  tx: Tx,
  { userId, bytes }: { userId: string; bytes: number },
  quotaMb: number,
): Promise<void> {
  const { used } = await tx
    .insertInto('uploadDays')
    .values({ userId, day: today, bytes: String(bytes) })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'day']).doUpdateSet({ bytes: sql`upload_days.bytes + excluded.bytes` }),
    )
    .returning(sql<number>`bytes::float8`.as('used'))
    .executeTakeFirstOrThrow()
  if (quotaMb === 0 || used <= quotaMb * MB) return
  const usedMb = Math.ceil((used - bytes) / MB)
  refuse('UPLOAD_QUOTA', { about: [`${usedMb.toLocaleString('en')} / ${quotaMb.toLocaleString('en')} MB`] })
}

/**
 * Credits the bytes that an upload reserved and did not store to the user's quota of the day on which it began.
 * Repeated calls have no effect.
 */
export async function settleQuota(db: Db, uploadId: string, storedBytes: number): Promise<void> {
  await sql`
    with upload as (
      select id, user_id, created_at, reserved_bytes from uploads
      where id = ${uploadId} and reserved_bytes is not null for update
    ), settled as (
      update uploads set reserved_bytes = null where id in (select id from upload)
    )
    update upload_days d set bytes = d.bytes - least(d.bytes, greatest(u.reserved_bytes - ${storedBytes}::bigint, 0))
    from upload u where d.user_id = u.user_id and d.day = (u.created_at at time zone 'Asia/Seoul')::date`.execute(
    db,
  )
}

/** Deletes the quota counts of days before today in Asia/Seoul. */
export async function removeOldUploadDays(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from upload_days where day < (now() at time zone 'Asia/Seoul')::date`)
}
