import { type Kysely, sql } from 'kysely'
import type {
  acceptPrivacyNotice as acceptEndpoint,
  readPrivacyNotice as readEndpoint,
} from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { timeText } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { InputRefusal } from '../../http/error-response.ts'

/** Returns the number of the latest version of the privacy notice; 0 if none is published. */
async function findLatestVersion(db: Kysely<Database>): Promise<number> {
  const { version } = await db
    .selectFrom('privacyNotices')
    .select(sql<number>`coalesce(max(version), 0)`.as('version'))
    .executeTakeFirstOrThrow()
  return version
}

/**
 * Checks the version of the privacy notice that an applicant accepts (rules/account#privacy-acceptance). Stores
 * nothing.
 * @param accepted the version; undefined if the applicant accepts none
 * @returns the version to store; undefined while none is published
 * @throws {InputRefusal} if the applicant accepts none
 * @throws {Refusal} PRIVACY_NOTICE_CHANGED if it is not the latest one
 */
export async function checkAcceptance(
  db: Kysely<Database>,
  accepted: number | undefined,
): Promise<number | undefined> {
  const present = await findLatestVersion(db)
  if (present === (accepted ?? 0)) return accepted
  if (accepted === undefined) throw new InputRefusal('required', 'privacyVersion', 'PRIVACY_VERSION')
  return refuse('PRIVACY_NOTICE_CHANGED')
}

/**
 * Stores that a user accepts a version of the privacy notice.
 * @returns false if the user has accepted it before; then nothing changes
 */
export async function saveAcceptance(
  tx: Kysely<Database>,
  userId: string,
  version: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('privacyAcceptances')
    .values({ userId, version })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Returns the text of a version of the privacy notice in the caller's language (Korean if it has no English text), and
 * the numbers and times of all versions, newest first (rules/settings#privacy-notice). Version 0 means the latest.
 * @throws {Refusal} PRIVACY_NOTICE_MISSING if there is no such version
 */
export const readPrivacyNotice: Handler<typeof readEndpoint> = async (
  { db, language },
  { privacyVersion },
) => {
  const versions = await db
    .selectFrom('privacyNotices')
    .select(['version as privacyVersion', timeText('publishedAt').as('publishedAt')])
    .orderBy('version', 'desc')
    .execute()
  const shown = versions.find(
    (each) => each.privacyVersion === (privacyVersion || versions[0]?.privacyVersion),
  )
  if (shown === undefined) return refuse('PRIVACY_NOTICE_MISSING')
  const { textKo, textEn } = await db
    .selectFrom('privacyNotices')
    .select(['textKo', 'textEn'])
    .where('version', '=', shown.privacyVersion)
    .executeTakeFirstOrThrow()
  return { ...shown, noticeText: language === 'en' && textEn !== '' ? textEn : textKo, versions }
}

/**
 * Stores that the caller accepts the latest version of the privacy notice (rules/account#privacy-acceptance), with an
 * audit row unless the caller has accepted it before.
 * @throws {Refusal} PRIVACY_NOTICE_CHANGED if it is not the latest one
 */
export const acceptPrivacyNotice: Handler<typeof acceptEndpoint> = (call, { privacyVersion }) =>
  call.db.transaction().execute(async (tx) => {
    const { actor } = call
    if (privacyVersion !== (await findLatestVersion(tx))) refuse('PRIVACY_NOTICE_CHANGED')
    if (!(await saveAcceptance(tx, actor.id, privacyVersion))) return
    await call.audit(tx, { target: actor.userId, detail: { privacyVersion }, records: [`user/${actor.id}`] })
  })
