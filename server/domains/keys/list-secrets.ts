import { sql } from 'kysely'
import type {
  listFormerKeyHolders as holdersEndpoint,
  listKeySecrets as listEndpoint,
} from '../../../contract/keys.ts'
import { pageOf } from '../../db/list.ts'
import { wireTime } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { affiliationName } from '../common/index.ts'

/** Lists the key secrets of this database with their state on this server (rules/keys#changed-secret). */
export const listKeySecrets: Handler<typeof listEndpoint> = async ({ db, services }) => {
  const { fingerprint, fingerprints } = services.keySecret
  const rows = await db
    .selectFrom('key_secrets as s')
    .select((eb) => [
      's.version as secretVersion',
      's.fingerprint',
      wireTime(eb.ref('s.since')).as('since'),
      sql<number>`(select count(*)::int from issued_keys k where k.secret_version = s.version and k.revoked_at is null)`.as(
        'keyCount',
      ),
    ])
    .orderBy('s.version', 'desc')
    .execute()
  const stateOf = (own: Buffer) =>
    own.equals(fingerprint) ? 'current' : fingerprints.some((one) => one.equals(own)) ? 'former' : 'gone'
  return { secrets: rows.map((row) => ({ ...row, state: stateOf(row.fingerprint) })) }
}

/** Lists the users who have keys of a previous secret. */
export const listFormerKeyHolders: Handler<typeof holdersEndpoint> = async (call, page) => {
  const { db, language, services } = call
  const { totalCount, rows } = await pageOf(
    db,
    db
      .selectFrom((from) =>
        from
          .selectFrom('issued_keys as k')
          .select([
            'k.user_id',
            sql<number>`count(*)::int`.as('keys'),
            sql<Date>`max(k.issued_at)`.as('newest'),
          ])
          .where(
            'k.secret_version',
            'in',
            from
              .selectFrom('key_secrets')
              .select('version')
              .where('fingerprint', '<>', services.keySecret.fingerprint),
          )
          .where('k.revoked_at', 'is', null)
          .groupBy('k.user_id')
          .as('held'),
      )
      .innerJoin('users as u', 'u.id', 'held.user_id')
      .select([
        'u.login_id as userId',
        'u.name',
        affiliationName('u.affiliation_code', language).as('affiliationName'),
        sql<string>`coalesce((select p.code from partners p where p.id = u.partner_id), '')`.as(
          'partnerCode',
        ),
        'held.keys as keyCount',
        wireTime(sql`held.newest`).as('issuedAt'),
      ])
      .orderBy('held.keys', 'desc')
      .orderBy('u.login_id'),
    page,
  )
  return { totalCount, users: rows }
}
