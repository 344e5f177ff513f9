import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type {
  getPrivacyNotice as readEndpoint,
  publishPrivacyNotice as publishEndpoint,
} from '../../../contract/settings/privacy.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Db } from '../../db/database.ts'
import { timeText } from '../../db/sql.ts'
import { versionOf } from '../../db/version.ts'
import type { Handler } from '../../http/handler.ts'

/** Returns the latest version of the privacy notice; undefined if none is published. */
const findPresent = (db: Db) =>
  db
    .selectFrom('privacyNotices')
    .select(['version', 'textKo', 'textEn'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Returns the texts of the latest version of the privacy notice ('' if none is published), and all versions, newest
 * first, with the user who published each and the number of users who accepted it (rules/settings#privacy-notice).
 */
export const getPrivacyNotice: Handler<typeof readEndpoint> = async ({ db }) => {
  const present = await findPresent(db)
  const versions = await db
    .selectFrom('privacyNotices as n')
    .innerJoin('users as u', 'u.id', 'n.publishedBy')
    .select([
      'n.version as privacyVersion',
      'n.isMaterial',
      timeText('n.publishedAt').as('publishedAt'),
      'u.loginId as userId',
      'u.name',
      sql<number>`(select count(*)::int from privacy_acceptances a where a.version = n.version)`.as(
        'acceptedCount',
      ),
    ])
    .orderBy('n.version', 'desc')
    .execute()
  return {
    noticeText: present?.textKo ?? '',
    noticeTextEn: present?.textEn ?? '',
    version: versionOf([present?.version ?? 0]),
    versions,
  }
}

/**
 * Publishes a new version of the privacy notice, with an audit row, and returns its number (rules/settings#privacy-notice).
 * Users must then accept a material change; the first version always is one. The number is the primary key, so only one of two
 * concurrent calls succeeds.
 * @throws {Refusal} RECORD_CHANGED if another version was published since `version`
 */
export const publishPrivacyNotice: Handler<typeof publishEndpoint> = async (call, input) => {
  const { noticeText: textKo, noticeTextEn: textEn } = input
  const privacyVersion = await call.db.transaction().execute(async (tx) => {
    const before = (await findPresent(tx))?.version ?? 0
    if (input.version !== versionOf([before])) refuse('RECORD_CHANGED')
    const version = before + 1
    const isMaterial = input.isMaterial || version === 1
    await mapConstraintErrors({ privacy_notices_pkey: 'RECORD_CHANGED' }, () =>
      tx
        .insertInto('privacyNotices')
        .values({ version, textKo, textEn, isMaterial, publishedBy: call.actor.id })
        .execute(),
    )
    await call.audit(tx, {
      target: 'privacy',
      detail: { privacyVersion: version, isMaterial },
      records: null,
    })
    return version
  })
  // Pages of this server link to it immediately; those of others within a second.
  await call.services.settings.fresh()
  return { privacyVersion }
}
