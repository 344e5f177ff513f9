import { type Transaction, sql } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import { BULK_MAX, type OBSTACLES } from '../../../../contract/users.ts'
import { mayLogIn, timeText } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import { versionOf } from '../../../db/version.ts'
import type { SignedIn } from '../../../http/sessions.ts'
import { affiliationName } from '../../common/index.ts'
import { administrable, grantable } from '../../roles/index.ts'
import { matchingUsers, type UserFilter } from '../search/list.ts'
import { restorableUntil } from '../access/withdrawal.ts'

/** The selected users: by ID, or all that a search finds except some. */
export interface Chosen {
  userIds: readonly string[]
  found?: Omit<UserFilter, 'withdrawn'> | undefined
  except: readonly string[]
  /** True if the selection contains withdrawn accounts only. */
  ofWithdrawn?: boolean | undefined
}

/**
 * Returns the selected users that exist, ordered by ID, each with an obstacle that prevents any change. For a user out of reach, only the
 * ID is returned: name and role are not read, and the obstacle keeps the rest out of every response.
 * @param isLocking locks the rows until the transaction ends
 * @throws {Refusal} BULK_TOO_LARGE
 */
export async function chosenPeople(
  tx: Transaction<Database>,
  actor: SignedIn,
  { userIds, found, except, ofWithdrawn = false }: Chosen,
  language: Language,
  isLocking: boolean,
): Promise<ChosenPerson[]> {
  const people =
    found === undefined
      ? tx
          .selectFrom('users as u')
          .where('u.withdrawn_at', ofWithdrawn ? 'is not' : 'is', null)
          .where('u.login_id', '=', sql<string>`any(${userIds}::text[])`)
      : matchingUsers(tx, actor, { ...found, withdrawn: ofWithdrawn }).where(
          'u.login_id',
          '<>',
          sql<string>`all(${except}::text[])`,
        )
  const isWithin = administrable(actor, sql.ref('u.role_code'))
  const rows = await people
    .leftJoin('roles as r', 'r.code', 'u.role_code')
    .leftJoin('partners as p', 'p.id', 'u.partner_id')
    .select((eb) => [
      'u.id',
      'u.login_id',
      'u.role_code',
      'u.affiliation_code',
      'u.partner_id',
      'u.approval_code',
      'u.valid_from',
      'u.valid_to',
      'u.suspended_at',
      'u.suspended_for',
      'u.suspended_reason',
      'u.withdrawn_at',
      timeText('u.withdrawn_at').as('withdrawnAt'),
      sql<boolean>`${ofWithdrawn} and ${restorableUntil} > now()`.as('isRestorable'),
      sql<boolean>`${ofWithdrawn} and exists (select from users o
        where o.email = u.email and o.withdrawn_at is null)`.as('isEmailTaken'),
      sql<boolean>`${grantable(actor, sql.ref('u.role_code'))}`.as('isGrantable'),
      'u.position',
      'u.phone_number',
      'u.email',
      mayLogIn('u').as('may_log_in'),
      sql<string>`case when ${isWithin} then ${eb.ref('u.name')} else '' end`.as('name'),
      sql<string>`case when ${isWithin} then ${sql.ref(language === 'ko' ? 'r.group_name' : 'r.name_en')} else '' end`.as(
        'roleName',
      ),
      affiliationName('u.affiliation_code', language).as('affiliationName'),
      sql<string>`coalesce(${eb.ref('p.code')}, '')`.as('partnerCode'),
      sql<Obstacle | null>`case when u.id = ${actor.id} then 'OWN' when not (${isWithin}) then 'OUT_OF_REACH' end`.as(
        'obstacle',
      ),
    ])
    .orderBy('u.id')
    .limit(BULK_MAX + 1)
    .$if(isLocking, (query) => query.forNoKeyUpdate('u'))
    .execute()
  if (rows.length > BULK_MAX) refuse('BULK_TOO_LARGE')
  const there = new Set(rows.map(({ login_id }) => login_id))
  const gone = ofWithdrawn ? 'NOT_WITHDRAWN' : 'GONE'
  const others = userIds.filter((loginId) => !there.has(loginId))
  return [...rows, ...others.map((loginId) => goneAs(loginId, gone))]
}

type Obstacle = (typeof OBSTACLES)[number]

/** A selected user. */
export interface ChosenPerson {
  id: string
  login_id: string
  name: string
  role_code: string
  roleName: string
  affiliation_code: string
  affiliationName: string
  partner_id: string | null
  partnerCode: string
  approval_code: string
  valid_from: string | null
  valid_to: string | null
  suspended_at: Date | null
  suspended_for: string | null
  suspended_reason: string | null
  withdrawn_at: Date | null
  /** The same as text. */
  withdrawnAt: string
  isRestorable: boolean
  /** True if an account that is not withdrawn has the email now. */
  isEmailTaken: boolean
  /** True if the actor may grant the role of the account. */
  isGrantable: boolean
  position: string
  phone_number: string
  email: string
  may_log_in: boolean
  /** Why the user is left unchanged; null if nothing prevents the change. */
  obstacle: Obstacle | null
}

/** Returns a user who was withdrawn, restored or renamed since the selection. */
const goneAs = (loginId: string, obstacle: Obstacle): ChosenPerson => ({
  id: '',
  login_id: loginId,
  name: '',
  role_code: '',
  roleName: '',
  affiliation_code: '',
  affiliationName: '',
  partner_id: null,
  partnerCode: '',
  approval_code: '',
  valid_from: null,
  valid_to: null,
  suspended_at: null,
  suspended_for: null,
  suspended_reason: null,
  withdrawn_at: null,
  withdrawnAt: '',
  isRestorable: false,
  isEmailTaken: false,
  isGrantable: false,
  position: '',
  phone_number: '',
  email: '',
  may_log_in: false,
  obstacle,
})

/**
 * Returns a digest of the present state of all selected users and of the request. It changes if any user is changed, added or removed. For
 * a user out of reach it contains only the ID, so that the digest does not confirm a guess of the rest.
 */
export function digestOf(people: readonly ChosenPerson[], asked: unknown): string {
  return versionOf([
    asked,
    ...people.map(({ roleName: _role, affiliationName: _affiliation, may_log_in: _may, ...rest }) =>
      rest.obstacle === 'OUT_OF_REACH' ? [rest.login_id, rest.obstacle] : Object.values(rest),
    ),
  ])
}
