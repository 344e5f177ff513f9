import { sql } from 'kysely'
import { CODE_GROUP } from '../../../../contract/common.ts'
import {
  APPROVAL,
  type changeSharing as changeSharingEndpoint,
  COLLEAGUE,
  COLLEAGUES_A_DAY,
  type getColleague as getColleagueEndpoint,
  type getSharing as getSharingEndpoint,
  type listColleagues as listColleaguesEndpoint,
} from '../../../../contract/users.ts'
import { byText, contains, COUNTED_PEOPLE, pageOf } from '../../../db/list.ts'
import { initialsOf, meantTexts, userContains } from '../../../db/user-search.ts'
import { mayLogIn, nameColumn, today } from '../../../db/sql.ts'
import type { Db } from '../../../db/database.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import { useOwnLimit } from '../../../http/admission/caller-rate-limits.ts'
import type { Call, Handler } from '../../../http/handler.ts'
import { affiliationName, requireNameLength } from '../../common/index.ts'
import { administrable, inCompany } from '../../roles/index.ts'
import { isInTeam, otherTeamNames, teamPath } from '../../teams/index.ts'

import { publicDetails } from './details.ts'

/** Seconds of a day. */
const A_DAY = 24 * 3600

/**
 * Counts the entries that a user requests from the directory in a day, so that no user can copy it
 * (design/accounts#directory-of-colleagues).
 * @throws {Refusal} COLLEAGUES_TOO_MANY with the time to wait, beyond COLLEAGUES_A_DAY
 */
export const countEntries = (
  call: Pick<Call<typeof getColleagueEndpoint>, 'actor' | 'services'>,
  entries: number,
): Promise<void> =>
  useOwnLimit(
    call,
    'colleagues',
    { points: COLLEAGUES_A_DAY, seconds: A_DAY },
    'COLLEAGUES_TOO_MANY',
    entries,
  )

/**
 * SQL condition that a user may log in today: the same as `login_refusal`, written as in the index `users_directory`.
 */
const isPresent = sql<boolean>`(u.withdrawn_at is null and u.approval_code = ${sql.lit(APPROVAL.approved)}
  and u.suspended_at is null and coalesce(u.valid_from <= (select ${today}), true) and coalesce(u.valid_to >= (select ${today}), true))`

/**
 * Returns the SQL condition that the caller may see the phone number or email of the row `u`
 * (rules/colleagues#what-colleagues-see): its owner shows it to all, or to the affiliation of the caller, and does not
 * hide it. Callers without a partner code may change their affiliation by themselves, so theirs does not count.
 */
function isShared(
  field: 'phone' | 'email',
  { affiliationCode, partnerId }: Pick<SignedIn, 'affiliationCode' | 'partnerId'>,
) {
  const [shown, hidden] = [sql.ref(`u.${field}Shown`), sql.ref(`u.${field}Hidden`)]
  if (partnerId === null) return sql<boolean>`(${shown} and not ${hidden})`
  return sql<boolean>`((${shown} or u.affiliation_code = ${affiliationCode}) and not ${hidden})`
}

/**
 * Returns the query for users whom the caller may see in the directory, as rows `u`: they may log in today, and of
 * their fields that the caller sees one contains the keyword (rules/colleagues#directory). Korean names first, ordered
 * by name.
 * @param keyword '' for all
 */
export function colleaguesOf(db: Db, actor: SignedIn, keyword: string) {
  return (
    db
      .selectFrom('users as u')
      .where(isPresent)
      .where(inCompany(actor, sql.ref('u.affiliationCode')))
      .$if(keyword !== '', (people) => people.where(shows(keyword, actor)))
      // Written as in the index `users_directory`.
      .orderBy(sql`(lower(u.name) collate "C" < '가')`)
      .orderBy(byText(sql`lower(u.name)`))
      .orderBy('u.id')
  )
}

/**
 * Returns a page of the directory: users who may log in today, Korean names first, ordered by name
 * (rules/colleagues#directory). Callers of another company see only their own company. Phone number and email are ''
 * unless their owner shares them with the caller. Counts `perPage` entries against the daily limit, whatever is found.
 * Records the shown users in the access log, and for a search those that its total reveals.
 * @throws {Refusal} COLLEAGUES_TOO_MANY
 * @throws {InputRefusal} as `requireNameLength`
 */
export const listColleagues: Handler<typeof listColleaguesEndpoint> = async (call, input) => {
  const { db, actor, language } = call
  requireNameLength(call, input.keyword, 'keyword', 'KEYWORD')
  await countEntries(call, input.perPage)
  let found = colleaguesOf(db, actor, input.keyword)
  if (input.affiliationCode !== '') found = found.where('u.affiliationCode', '=', input.affiliationCode)
  if (input.teamId !== '') found = found.where(isInTeam(input.teamId))
  const list = found
    .leftJoin('codes as c', (join) =>
      join.onRef('c.code', '=', 'u.affiliationCode').on('c.groupCode', '=', CODE_GROUP.affiliation),
    )
    .select((eb) => [
      'u.id',
      'u.name',
      eb.fn.coalesce(`c.${nameColumn[language]}`, 'u.affiliationCode').as('affiliationName'),
      teamPath(language).as('teamName'),
      'u.position',
      'u.customValues',
      sql<string>`case when ${isShared('phone', actor)} then u.phone_number else '' end`.as('phoneNumber'),
      sql<string>`case when ${isShared('email', actor)} then u.email else '' end`.as('email'),
    ])
  const { totalCount, rows } = await pageOf(db, list, input)
  call.touches(rows.map(({ id }) => id))
  if (input.keyword !== '' && rows.length < totalCount && totalCount <= COUNTED_PEOPLE)
    call.touches((await found.select('u.id').limit(COUNTED_PEOPLE).execute()).map(({ id }) => id))
  return { totalCount, colleagues: rows.map((row) => ({ ...row, details: publicDetails(call, row) })) }
}

/**
 * Returns the SQL condition that the fields of the row `u` that the caller sees contain the text: a search must not
 * reveal fields that its result omits. The index of the search field finds a larger set of users quickly
 * (design/search#users-by-one-search-field).
 */
function shows(text: string, actor: Parameters<typeof isShared>[1]) {
  // Initial consonants find names, which all users see.
  if (initialsOf(text) !== undefined) return userContains(text)
  const parts = meantTexts(text).flatMap((meant) => shownParts(meant, actor))
  return sql<boolean>`(${userContains(text)} and (${sql.join(parts, sql` or `)}))`
}

/**
 * Returns the SQL conditions that a field of the row `u` that the caller may see contains the text: one each for name,
 * email and, for a text of digits, phone number.
 */
function shownParts(text: string, actor: Parameters<typeof isShared>[1]) {
  const digits = text.replaceAll(/[\s-]/g, '')
  return [
    contains(sql.ref('u.name'), text),
    sql<boolean>`(${isShared('email', actor)} and ${contains(sql.ref('u.email'), text)})`,
    ...(/^\d+$/.test(digits)
      ? [sql<boolean>`(${isShared('phone', actor)} and ${contains(sql.ref('u.phoneNumber'), digits)})`]
      : []),
  ]
}

/**
 * Returns the profile card of a colleague (rules/colleagues#profile-card). For an unknown ID, a user outside the
 * company of a caller of another company, and a user who may not log in today, it contains only the state and whether
 * the caller may administer the account. The owner and administrators see phone number and email in any case. Counts
 * one entry against the daily limit.
 * @throws {Refusal} COLLEAGUES_TOO_MANY
 */
export const getColleague: Handler<typeof getColleagueEndpoint> = async (call, { userId }) => {
  const { db, actor, language } = call
  await countEntries(call, 1)
  const person = await db
    .selectFrom('users as u')
    .where('u.loginId', '=', userId)
    .where(inCompany(actor, sql.ref('u.affiliationCode')))
    .select([
      'u.name',
      affiliationName('u.affiliationCode', language).as('affiliationName'),
      teamPath(language).as('teamName'),
      otherTeamNames(language).as('otherTeamNames'),
      'u.position',
      'u.customValues',
      'u.phoneNumber',
      'u.email',
      isShared('phone', actor).as('isPhoneShared'),
      isShared('email', actor).as('isEmailShared'),
      sql<boolean>`u.id = ${actor.id}`.as('isOwn'),
      sql<boolean>`u.withdrawn_at is not null`.as('isWithdrawn'),
      mayLogIn('u').as('isPresent'),
      administrable(actor, 'u').as('isAdministrable'),
    ])
    .executeTakeFirst()
  if (person === undefined) return { state: COLLEAGUE.away, editable: false }
  const editable = person.isAdministrable && !person.isOwn
  if (!person.isPresent) return { state: person.isWithdrawn ? COLLEAGUE.withdrawn : COLLEAGUE.away, editable }
  const seesAll = person.isOwn || person.isAdministrable
  return {
    state: COLLEAGUE.present,
    name: person.name,
    affiliationName: person.affiliationName,
    teamName: person.teamName,
    // They may be of other companies.
    otherTeamNames: actor.company === null ? person.otherTeamNames : [],
    position: person.position,
    details: publicDetails(call, person),
    phoneNumber: seesAll || person.isPhoneShared ? person.phoneNumber : '',
    email: seesAll || person.isEmailShared ? person.email : '',
    editable,
  }
}

/** Returns the query for the sharing choices of a user (users.id). */
const sharingOf = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['phoneShown', 'emailShown', 'phoneHidden', 'emailHidden'])

/** Returns whether colleagues see the phone number and email of the caller (rules/colleagues#what-colleagues-see). */
export const getSharing: Handler<typeof getSharingEndpoint> = ({ db, actor }) =>
  sharingOf(db, actor.id).executeTakeFirstOrThrow()

/**
 * Changes whether colleagues see the phone number and email of the caller. A choice to hide that is left out stays, or
 * ends if the value is shown. Records the old and the new choice in the audit log.
 */
export const changeSharing: Handler<typeof changeSharingEndpoint> = async (call, wanted) => {
  const { actor } = call
  await call.db.transaction().execute(async (tx) => {
    const before = await sharingOf(tx, actor.id).forNoKeyUpdate().executeTakeFirstOrThrow()
    const after = {
      ...wanted,
      // A program that does not know these fields hides nothing more, and shows what it wants to show.
      phoneHidden: wanted.phoneHidden ?? (before.phoneHidden && !wanted.phoneShown),
      emailHidden: wanted.emailHidden ?? (before.emailHidden && !wanted.emailShown),
    }
    await tx.updateTable('users').set(after).where('id', '=', actor.id).execute()
    await call.audit(tx, { target: actor.userId, detail: { before, after }, records: [`user/${actor.id}`] })
  })
}
