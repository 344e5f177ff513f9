import type pg from 'pg'
import { type KeptHead, signingKey, writeHead } from '../../server/services/access-log/heads.ts'

/** First day of a month whose rows tests add. */
export const PAST_MONTH = '2025-05-01'
/** Time at which the rows of `addPastRows` were written and signed. */
const WRITTEN_AT = '2025-05-05T00:00:00.000Z'

/** Call path in each row of `addRows`. */
const PAST_CALL = '/stm/v1/user'

/**
 * Appends rows with valid hashes to a month of the access log. Does not sign them.
 * @param month first day, 'YYYY-MM-DD'
 * @param at time of the rows
 * @param count number of rows
 */
export async function addRows(owner: pg.Pool, month: string, at: string, count: number): Promise<void> {
  await owner.query(`select access_log_open('${month}')`)
  await owner.query(
    `do $$ declare h access_log_heads; begin
       insert into access_log_heads values ('${month}', 0, '${at}', sha256(convert_to('maru access log ${month}', 'UTF8')))
         on conflict do nothing;
       select * into h from access_log_heads where month = '${month}';
       for i in 1 .. ${count} loop
         h.position := h.position + 1;
         h.hash := sha256(h.hash || convert_to('[' || h.position || ',' || (extract(epoch from '${at}'::timestamptz) * 1000000)::bigint
           || ',"read","${PAST_CALL}",null,"kim","10.0.0.1","r","","",[7,9],[]]', 'UTF8'));
         insert into access_log values (h.month, h.position, '${at}', 'read', '${PAST_CALL}', null, 'kim', '10.0.0.1', 'r', '', '',
           '{7,9}', '{}', h.hash);
       end loop;
       update access_log_heads set position = h.position, hash = h.hash, at = '${at}' where month = h.month; end $$`,
  )
}

/** Adds rows to PAST_MONTH, as `addRows`. */
export const addPastRows = (owner: pg.Pool, count: number): Promise<void> =>
  addRows(owner, PAST_MONTH, WRITTEN_AT, count)

/**
 * Signs the end of PAST_MONTH, within the month by default, and writes the head to DATA_DIR. Without rows, signs
 * position 0 with an empty hash.
 * @param given fields that replace those of the head
 * @returns the signed head
 */
export async function signPast(
  owner: pg.Pool,
  dataDir: string,
  seeds: readonly Buffer[],
  given: Partial<KeptHead> = {},
): Promise<KeptHead> {
  const { rows } = await owner.query<{ position: string; hash: string; at: string }>(
    `select position, encode(hash, 'hex') as hash, (extract(epoch from at) * 1000000)::bigint as at
      from access_log_heads where month = '${PAST_MONTH}'`,
  )
  const [end = { position: '0', hash: '', at: '0' }] = rows
  const head = { month: PAST_MONTH, signedAt: WRITTEN_AT, ...end, ...given }
  return writeHead({ dataDir, keys: seeds.map(signingKey) }, head)
}
