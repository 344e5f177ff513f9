import { type InferResult, type Transaction, sql } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import { LINK } from '../../../../contract/account.ts'
import { BULK_MAX, type OBSTACLES } from '../../../../contract/users.ts'
import { isExternal, mayLogIn, timeText } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import { versionOf } from '../../../db/version.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import { isHeld } from '../../account/index.ts'
import { affiliationName } from '../../common/index.ts'
import { administrable, grantable, inBranch, isBoundToAffiliation, movable } from '../../roles/index.ts'
import { teamPath } from '../../teams/index.ts'
import { matchingUsers, toUserSearch, type UserFilter, type UserSearch } from '../search/list.ts'
import { restorableUntil } from '../access/withdrawal.ts'
import { extendedTo } from '../queries.ts'

/**
 * Selected users of a bulk change: by login ID (`userIds`), or all that a search (`found`) finds except those in
 * `except`.
 */
export interface UserSelection {
  userIds: readonly string[]
  found?: Omit<UserFilter, 'withdrawn'> | undefined
  /** Login IDs that `found` finds and the caller deselected. */
  except: readonly string[]
  /** The users of a change to undo, instead of the other two; '' as ID for one who is left out if not found. */
  selected?: readonly { id: string; loginId: string }[] | undefined
  /** True if the selection contains withdrawn accounts only. */
  ofWithdrawn?: boolean | undefined
}

/**
 * Returns the selected users, ordered by ID, each with its general obstacle: OWN for the caller, OUT_OF_REACH for an
 * account that the actor may not administer, else null. IDs that are not found, or not within the actor's branch,
 * follow with the obstacle GONE, or NOT_WITHDRAWN if the selection is of withdrawn accounts. For a user out of reach,
 * name and role name are empty, and the caller must return only the ID.
 * @param isLocking locks the rows until the transaction ends
 * @throws {Refusal} BULK_TOO_LARGE for more than BULK_MAX users; and as `toUserSearch` for a search
 */
export async function chosenPeople(
  tx: Transaction<Database>,
  actor: SignedIn,
  selection: UserSelection,
  language: Language,
  isLocking: boolean,
): Promise<ChosenPerson[]> {
  const { userIds, selected, ofWithdrawn = false } = selection
  const found =
    selection.found && (await toUserSearch(tx, actor, { ...selection.found, withdrawn: ofWithdrawn }))
  const rows = await peopleOf(tx, actor, { ...selection, found }, language)
    .$if(isLocking, (query) => query.forNoKeyUpdate('u'))
    .execute()
  if (rows.length > BULK_MAX) refuse('BULK_TOO_LARGE')
  const there = new Set(rows.map(({ loginId }) => loginId))
  const gone = ofWithdrawn ? 'NOT_WITHDRAWN' : 'GONE'
  const ids = new Set(rows.map(({ id }) => id))
  const missed = selected?.flatMap(({ id, loginId }) => (ids.has(id) || loginId === '' ? [] : loginId))
  const others = missed ?? userIds.filter((loginId) => !there.has(loginId))
  return [...rows, ...others.map((loginId) => goneAs(loginId, gone))]
}

/** Code of a reason why a bulk change skips a user. */
type Obstacle = (typeof OBSTACLES)[number]

/**
 * Returns the query for the selected users that exist, ordered by ID, at most one more than the maximum. The only
 * obstacles that it finds are OWN and OUT_OF_REACH.
 */
function peopleOf(
  tx: Transaction<Database>,
  actor: SignedIn,
  {
    userIds,
    found,
    except,
    selected,
    ofWithdrawn = false,
  }: UserSelection & { found: UserSearch | undefined },
  language: Language,
) {
  const people =
    found === undefined
      ? tx
          .selectFrom('users as u')
          .where('u.withdrawnAt', ofWithdrawn ? 'is not' : 'is', null)
          .where((eb) =>
            selected === undefined
              ? eb('u.loginId', '=', sql<string>`any(${userIds}::text[])`)
              : eb('u.id', '=', sql<string>`any(${selected.map(({ id }) => id)}::bigint[])`),
          )
          .where(inBranch(actor, sql.ref('u.affiliationCode')))
      : matchingUsers(tx, actor, found).where('u.loginId', '<>', sql<string>`all(${except}::text[])`)
  const isWithin = administrable(actor, 'u')
  return people
    .leftJoin('roles as r', 'r.code', 'u.roleCode')
    .leftJoin('partners as p', 'p.id', 'u.partnerId')
    .select((eb) => [
      'u.id',
      'u.loginId',
      'u.roleCode',
      'u.affiliationCode',
      'u.partnerId',
      'u.approvalCode',
      'u.validFrom',
      'u.validTo',
      extendedTo.as('extendedTo'),
      'u.suspendedAt',
      'u.suspendedFor',
      'u.suspendedReason',
      'u.withdrawnAt',
      // '' without a withdrawal.
      timeText('u.withdrawnAt').as('withdrawnTime'),
      sql<boolean>`${ofWithdrawn} and ${restorableUntil} > now()`.as('isRestorable'),
      sql<boolean>`${ofWithdrawn} and exists (select from users o
        where o.email = u.email and o.withdrawn_at is null)`.as('isEmailTaken'),
      sql<boolean>`${grantable(actor, sql.ref('u.roleCode'))}`.as('isGrantable'),
      sql<string>`coalesce((select m.team_id::text from user_teams m where m.user_id = u.id and m.is_main), '')`.as(
        'teamId',
      ),
      // As in the audit log.
      teamPath('ko').as('teamName'),
      teamPath(language).as('teamLabel'),
      'u.position',
      'u.phoneNumber',
      'u.employeeNumber',
      'u.customValues',
      'u.email',
      'u.language',
      // Part of the version, so that a version sends each invitation once.
      sql<string | null>`(select encode(l.token_hash, 'hex') from account_links l
        where l.user_id = u.id and l.kind = ${sql.lit(LINK.invitation)} and not ${isHeld('u')})`.as(
        'invitation',
      ),
      mayLogIn('u').as('mayLogIn'),
      movable(actor, 'u').as('isMovable'),
      isBoundToAffiliation('u').as('isBound'),
      isExternal(sql`u.affiliation_code`).as('isOutside'),
      sql<string>`case when ${isWithin} then ${eb.ref('u.name')} else '' end`.as('name'),
      sql<string>`case when ${isWithin} then ${sql.ref(language === 'ko' ? 'r.groupName' : 'r.nameEn')} else '' end`.as(
        'roleName',
      ),
      affiliationName('u.affiliationCode', language).as('affiliationName'),
      sql<string>`coalesce(${eb.ref('p.code')}, '')`.as('partnerCode'),
      sql<Obstacle | null>`case when u.id = ${actor.id} then 'OWN' when not (${isWithin}) then 'OUT_OF_REACH' end`.as(
        'obstacle',
      ),
    ])
    .orderBy('u.id')
    .limit(BULK_MAX + 1)
}

/** Selected user. `obstacle` is the reason why the user is left unchanged; null if nothing prevents the change. */
export type ChosenPerson = InferResult<ReturnType<typeof peopleOf>>[number]

/**
 * Returns the entry for a selected ID that is not found, because its user was withdrawn, restored or renamed since the
 * selection. All other fields are empty.
 */
const goneAs = (loginId: string, obstacle: Obstacle): ChosenPerson => ({
  id: '',
  loginId,
  name: '',
  roleCode: '',
  roleName: '',
  affiliationCode: '',
  affiliationName: '',
  partnerId: null,
  partnerCode: '',
  approvalCode: '',
  validFrom: null,
  validTo: null,
  extendedTo: '',
  suspendedAt: null,
  suspendedFor: null,
  suspendedReason: null,
  withdrawnAt: null,
  withdrawnTime: '',
  isRestorable: false,
  isEmailTaken: false,
  language: 'ko',
  invitation: null,
  isGrantable: false,
  teamId: '',
  teamName: '',
  teamLabel: '',
  position: '',
  phoneNumber: '',
  employeeNumber: null,
  customValues: {},
  email: '',
  mayLogIn: false,
  isMovable: false,
  isBound: false,
  isOutside: false,
  obstacle,
})

/**
 * Returns a version: a digest of the current state of all selected users and of the request. It changes if any user is
 * changed, added or removed. For a user out of reach it contains only the ID, so that the digest does not confirm a
 * guess of the rest.
 * @param asked requested change and its values
 */
export function digestOf(people: readonly ChosenPerson[], asked: unknown): string {
  return versionOf([
    asked,
    ...people.map(
      ({
        roleName: _role,
        affiliationName: _affiliation,
        teamLabel: _team,
        mayLogIn: _may,
        isMovable: _movable,
        ...rest
      }) => (rest.obstacle === 'OUT_OF_REACH' ? [rest.loginId, rest.obstacle] : Object.values(rest)),
    ),
  ])
}
