import { type Kysely, sql } from 'kysely'
import { isPerson } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { digestLoginIds } from '../account/index.ts'
import type { SealKeys } from '../../services/encryption.ts'

/** Name that replaces the name of an erased user (rules/retention#withdrawn-people). */
export const ERASED_NAME = '탈퇴한 사용자'

/** Tables with data of the user alone, each with the column that refers to the user. An erasure deletes their rows. */
export const DELETED_WITH_USER = {
  accountLinks: 'userId',
  accountNotices: 'userId',
  approvalRequests: 'userId',
  factorFailures: 'userId',
  factorResets: 'userId',
  identities: 'userId',
  loginNetworks: 'userId',
  loginTickets: 'userId',
  noticeCommentMentions: 'userId',
  noticeReminders: 'userId',
  notificationReads: 'userId',
  notificationStates: 'userId',
  notifications: 'userId',
  passkeyEnrolments: 'userId',
  passkeys: 'userId',
  passwordHistory: 'userId',
  privacyAcceptances: 'userId',
  programTokens: 'userId',
  recoveryCodes: 'userId',
  savedSearches: 'userId',
  scimCandidates: 'userId',
  scimUsers: 'userId',
  sessions: 'userId',
  ssoStates: 'userId',
  totpSecrets: 'userId',
  trustedDevices: 'userId',
  uploadDays: 'userId',
  userTeams: 'userId',
} as const satisfies Partial<Record<keyof Database, string>>

/**
 * All other columns that refer to a user. An erasure keeps their rows; the account that they refer to is anonymous
 * afterwards.
 */
export const KEPT_REFERENCES = [
  'accountLinks.requestedBy',
  'approvalRequests.decidedBy',
  'factorResets.askedBy',
  'factorResets.decidedBy',
  'incidentRecords.recordedBy',
  'incidents.createdBy',
  'issuedKeys.revokedBy',
  'issuedKeys.userId',
  'keyUserTotals.userId',
  'leakSearches.searchedBy',
  'loginIds.userId',
  'mailTemplates.changedBy',
  'noticeComments.authorId',
  'noticeReads.userId',
  'notices.authorId',
  'notifications.actorId',
  'privacyNotices.publishedBy',
  'programAccounts.userId',
  'scimTokens.createdBy',
  'serviceTokens.createdBy',
  'serviceTokens.revokedBy',
  'settings.changedBy',
  'uploads.userId',
  'users.withdrawnBy',
  'webhooks.createdBy',
] as const

/**
 * Anonymizes accounts that were withdrawn at least this many days ago, the first withdrawn first
 * (rules/retention#withdrawn-people). The rows stay, because other rows refer to them; their name becomes ERASED_NAME
 * and their other values are emptied. Deletes the rows of the user alone, and internal data that names the user. The
 * IDs stay reserved, but are no longer stored in plain text. Skips rows that another transaction has locked. Writes no
 * audit row.
 * @param most maximum number of accounts per call
 * @returns the number of anonymized accounts, at most `most`
 */
export async function eraseWithdrawn(
  tx: Kysely<Database>,
  days: number,
  most: number,
  keys: SealKeys,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from users where withdrawn_at < now() - make_interval(days => ${days}) and erased_at is null and ${isPerson('users.id')}
    order by withdrawn_at, id limit ${most} for update skip locked`.execute(tx)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  const people = sql`any(${ids}::bigint[])`

  await anonymizeComments(tx, ids)
  for (const [table, column] of Object.entries(DELETED_WITH_USER))
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${people}`.execute(tx)
  await sql`delete from login_failures where login_id in (select login_id from login_ids where user_id = ${people})`.execute(
    tx,
  )
  await deleteMentions(tx, ids)
  await anonymizeUnsigned(tx, ids)
  await digestLoginIds(tx, keys, ids)
  await tx
    .updateTable('users')
    .set({
      loginId: sql<string>`'~' || id`,
      name: ERASED_NAME,
      position: '',
      phoneNumber: '',
      employeeNumber: null,
      customValues: '{}',
      phoneShown: false,
      phoneHidden: false,
      email: '',
      emailShown: false,
      emailHidden: false,
      passwordHash: '',
      passwordTemporary: false,
      temporaryUntil: null,
      passwordOwnFrom: null,
      breakGlass: false,
      partnerId: null,
      validFrom: null,
      validTo: null,
      lastLoginAt: null,
      withdrawnReason: null,
      suspendedAt: null,
      suspendedFor: null,
      suspendedReason: null,
      updatedAt: sql<Date>`now()`,
      erasedAt: sql<Date>`now()`,
    })
    .where(sql<boolean>`id = ${people}`)
    .execute()
  return rows.length
}

/**
 * Tables with copies of names and IDs, each with the table whose row is signed, and the column by which the two are
 * linked.
 */
const COPIES = [
  { copies: 'rightsReviewItems', signed: 'rightsReviews', period: 'quarter' },
  { copies: 'inspectionFindings', signed: 'inspections', period: 'month' },
] as const

/**
 * Replaces the names and IDs of these users in access reviews and access-log reviews that are not signed. Signed ones
 * stay unchanged (rules/retention#withdrawn-people).
 */
async function anonymizeUnsigned(tx: Kysely<Database>, ids: readonly string[]): Promise<void> {
  for (const { copies, signed, period } of COPIES)
    await sql`update ${sql.table(copies)} i set
        login_id = case when i.person_id = any(${ids}::bigint[]) then '~' || i.id else i.login_id end,
        name = case when i.person_id = any(${ids}::bigint[]) then ${ERASED_NAME} else i.name end,
        remarker_name = case when i.remarker_id = any(${ids}::bigint[]) then ${ERASED_NAME} else i.remarker_name end
      from ${sql.table(signed)} s where s.${sql.ref(period)} = i.${sql.ref(period)} and s.signed_at is null
        and (i.person_id = any(${ids}::bigint[]) or i.remarker_id = any(${ids}::bigint[]))`.execute(tx)
}

/**
 * Replaces the names of these users in comments that mention them. Each text is split before every name that it mentions: PostgreSQL
 * takes the longest, so that the name of another user which begins with an erased one stays.
 */
async function anonymizeComments(tx: Kysely<Database>, ids: readonly string[]): Promise<void> {
  const people = sql`any(${ids}::bigint[])`
  await sql`
    update notice_comments c set body = (
      select string_agg(case when part[1] = any(m.erased) then ${`@${ERASED_NAME}`} else part[1] end, '' order by place)
      from regexp_matches(c.body, m.names || '|[^@]+|@', 'g') with ordinality as parts (part, place))
    from (
      select comment_id, array_agg('@' || name) filter (where user_id = ${people}) as erased,
        string_agg('@' || regexp_replace(name, '[^a-zA-Z0-9]', ${String.raw`\\\&`}, 'g'), '|') as names
      from notice_comment_mentions
      where comment_id in (select comment_id from notice_comment_mentions where user_id = ${people})
      group by comment_id
    ) m where c.id = m.comment_id`.execute(tx)
}

/**
 * Returns the SQL value of a column of the users row `u`, or '' if another user who is not erased has the same value.
 */
const unlessShared = (column: string) => sql`case when exists (select from users o
  where ${sql.ref(`o.${column}`)} = ${sql.ref(`u.${column}`)} and o.id <> u.id and o.erased_at is null) then ''
  else ${sql.ref(`u.${column}`)} end`

/**
 * Returns the SQL condition that the text in a column contains the email, phone number, full name or a login ID of the
 * erased user `p`, or equals the employee number. Ignores empty values, phone numbers of less than 9 digits and names
 * of one character.
 */
const isNamedIn = (column: string) => {
  const text = sql.ref(column)
  return sql`(
    (p.email <> '' and position(p.email in lower(${text})) > 0)
    or (length(p.phone_number) >= 9 and position(p.phone_number in regexp_replace(${text}, '[^0-9]', '', 'g')) > 0)
    or p.employee_number = upper(trim(${text}))
    or p.login_ids && regexp_split_to_array(lower(${text}), '[^a-z0-9._-]+')
    or (length(p.name) > 1 and position(p.name in normalize(${text}, NFC)) > 0))`
}

/**
 * Deletes internal data that names one of these users: email codes, failed logins, mails that were given up, and saved
 * searches of other users. Also deletes all mails to them. A value that another user has today identifies that user, so
 * it deletes nothing.
 */
async function deleteMentions(tx: Kysely<Database>, ids: readonly string[]): Promise<void> {
  const erased = sql`(select ${unlessShared('name')} as name, ${unlessShared('email')} as email,
      ${unlessShared('phoneNumber')} as phone_number, nullif(u.employee_number, '') as employee_number, array(select login_id from login_ids i where i.user_id = u.id) as login_ids
    from users u where u.id = any(${[...ids]}::bigint[])) as p`
  await sql`delete from saved_searches s using ${erased} where exists (
    select from (values (s.name), (s.conditions ->> 'keyword'), (s.conditions ->> 'name'), (s.conditions ->> 'phoneNumber'))
      as given (words) where given.words <> '' and ${isNamedIn('given.words')})`.execute(tx)
  await sql`delete from mails m using ${erased}
    where m.recipient = nullif(p.email, '') or (m.failed_at is not null and ${isNamedIn('m.subject')})`.execute(
    tx,
  )
  // Some users enter their email or name as the ID.
  await sql`delete from login_failures f using ${erased}
    where f.login_id in (nullif(p.email, ''), nullif(lower(p.name), ''))`.execute(tx)
  await sql`delete from certifications c using ${erased}
    where c.email = nullif(p.email, '') or c.login_id = any(p.login_ids)`.execute(tx)
}
