import { GRANT_FIELDS } from '../../../../contract/fields.ts'
import { type RawBuilder, type Transaction, sql } from 'kysely'
import { CODE_GROUP } from '../../../../contract/common.ts'
import { APPROVAL } from '../../../../contract/users.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import { nameColumn, wireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import { differences } from '../../../records/audit.ts'
import { grantableAmong } from '../../roles/index.ts'
import { joinTeams } from '../../teams/index.ts'
import type { ChangeOf } from './bulk.ts'
import type { ChosenPerson } from './bulk-people.ts'

/** Columns of `users` that an undo restores. A row of the audit log with another column is not undone. */
export const UNDOABLE = [
  'name',
  'position',
  'phoneNumber',
  'roleCode',
  'affiliationCode',
  'partnerId',
  'validFrom',
  'validTo',
] as const

/** Field that an undo restores: a column of UNDOABLE, or the main team as its path. */
type Undoable = (typeof UNDOABLE)[number] | 'teamName'

/**
 * Keys and actions of later rows that decide on all columns: an approval writes only those that differ. A user with
 * such a row counts as changed since.
 */
const APPROVALS = ['approvalCode', 'user.approve']

/**
 * Keys of an audit detail that are no columns, so they prevent no undo: that a changed affiliation was a permission,
 * which change the row itself undid, and why a role was given.
 */
const REMARKS: readonly string[] = ['branchRole', 'undone', ...GRANT_FIELDS]

/** Values of changed fields of a user, by field: those before a bulk change (`former`) or after it (`changed`). */
export type Former = Partial<Record<Undoable, string | null>>

/** A changed field in a row of the audit log. */
interface Changed {
  before: string | null
  after: string | null
}

/** User that a bulk change changed, from its row in the audit log. */
interface ChangedUser {
  id: string
  /** Login ID at that time. */
  loginId: string
  former: Former
  changed: Former
  /** True if a later row changed one of the same fields, or approved the account. */
  isChangedAgain: boolean
}

/**
 * Returns the bulk change that restores the values before the bulk change to which a row of the audit log belongs
 * (rules/users#undo-a-bulk-change). Skips users whose values were changed since (CHANGED_SINCE), whose former values
 * are no longer possible (FORMER_GONE, STARTS_LATER), or whose former role or affiliation the actor may not give
 * (ADMIN_NEEDED, OUT_OF_REACH). If the row belongs to no bulk change, it affects no user.
 * @param auditId ID of any audit row of the change
 */
export const undo =
  (auditId: string): ChangeOf =>
  async (tx, actor) => {
    const { users, at } = await changeOf(tx, auditId)
    const byId = new Map(users.map((user) => [user.id, user]))
    const all = users.map(({ former }) => former)
    const { namesIn, isPlace, teamIdOf } = await placesIn(tx, users)
    const roleCodes = new Set(all.flatMap(({ roleCode }) => roleCode ?? []))
    const roles = await grantableAmong(tx, actor, [...roleCodes])
    const isEndRequired = all.some(({ validTo }) => validTo === null) && (await requiresEnd(tx))

    function formerOf(person: ChosenPerson): Former {
      const { former = {} } = byId.get(person.id) ?? {}
      // A team may have been deleted since.
      return former.teamName && teamIdOf(person, former) === undefined ? { ...former, teamName: '' } : former
    }

    function obstacleOf(person: ChosenPerson): ChosenPerson['obstacle'] {
      const user = byId.get(person.id)
      if (user === undefined) return 'GONE'
      const { former, changed } = user
      const isOther = UNDOABLE.some((key) => key in changed && person[key] !== changed[key])
      // Another affiliation ends the main team, also one that the user joined since.
      const hasTeam = 'teamName' in changed || 'affiliationCode' in changed
      const isInOtherTeam = hasTeam && person.teamName !== (changed.teamName ?? '')
      if (user.isChangedAgain || isOther || isInOtherTeam) return 'CHANGED_SINCE'
      if (typeof former.roleCode === 'string' && !roles.granted.has(former.roleCode))
        return roles.held.has(former.roleCode) ? 'ADMIN_NEEDED' : 'FORMER_GONE'
      if (typeof former.affiliationCode === 'string') {
        if (!person.isMovable || !(actor.within?.includes(former.affiliationCode) ?? true))
          return 'OUT_OF_REACH'
      }
      const { validFrom = person.validFrom, validTo = person.validTo } = former
      if (validFrom !== null && validTo !== null && validFrom > validTo) return 'STARTS_LATER'
      // An account that waits for its approval has no end yet.
      if (former.validTo === null && isEndRequired && person.approvalCode === APPROVAL.approved)
        return 'FORMER_GONE'
      return isPlace(person.affiliationCode, former) ? null : 'FORMER_GONE'
    }

    return {
      action: 'undo',
      asked: auditId,
      columns: {},
      // Another branch is not known to exist (rules/roles#branch-roles).
      selected: users.map(({ id, loginId }) => ({ id, loginId: actor.within === null ? loginId : '' })),
      formerOf,
      obstacleOf,
      presentOf(person, language) {
        const names = namesIn(language)
        const { changed = {} } = byId.get(person.id) ?? {}
        return `${textOf(changed, names)} → ${textOf(formerOf(person), names)}`
      },
      costsAdmins: all.some((former) => 'roleCode' in former || 'validTo' in former || 'validFrom' in former),
      save: (able) => restore(tx, able, formerOf, teamIdOf),
      detailOf(person) {
        const changed = differences(person, formerOf(person))
        const isMoved = 'affiliationCode' in changed && person.isBound
        return { ...changed, ...(isMoved && { branchRole: person.roleCode }), undone: at }
      },
    }
  }

/** Returns whether the settings require an end for every account now (rules/users#open-end). */
async function requiresEnd(tx: Transaction<Database>): Promise<boolean> {
  const row = await tx.selectFrom('settings').select('validityEnd').executeTakeFirst()
  return row?.validityEnd !== 'optional'
}

/**
 * Returns the users of the bulk change that a row of the audit log belongs to, from the rows of the same call, and the
 * time of the change. Returns no users if the call wrote only this row, or no row can be undone.
 */
async function changeOf(
  tx: Transaction<Database>,
  auditId: string,
): Promise<{ users: ChangedUser[]; at: string }> {
  const rows = await tx
    .selectFrom('auditLog as l')
    .innerJoin('auditLog as o', (join) =>
      join
        .onRef('o.actorId', '=', 'l.actorId')
        .onRef('o.at', '=', 'l.at')
        .onRef('o.requestId', '=', 'l.requestId')
        .onRef('o.action', '=', 'l.action'),
    )
    .select((eb) => [
      'l.id',
      sql<string>`coalesce(l.records[1], '')`.as('record'),
      eb.fn.coalesce('l.target', sql<string>`''`).as('loginId'),
      'l.detail',
      wireTime(eb.ref('l.at')).as('at'),
      isUndoable.as('isUndoable'),
    ])
    .where('o.id', '=', auditId)
    .orderBy('l.id')
    .execute()
  const undoable = rows.length > 1 ? rows.filter((row) => row.isUndoable) : []
  const changedLater = await changesAfter(tx, undoable)
  const users = undoable.map(({ record, loginId, detail }) => {
    const entries = Object.entries(detail as Record<string, Changed>).filter(
      ([key]) => !REMARKS.includes(key),
    )
    const valuesOf = (side: keyof Changed): Former =>
      Object.fromEntries(entries.map(([key, value]) => [key, value[side]]))
    return {
      id: record.replace('user/', ''),
      loginId,
      former: valuesOf('before'),
      changed: valuesOf('after'),
      isChangedAgain: [...entries.map(([key]) => key), ...APPROVALS].some((key) =>
        changedLater.has(`${record} ${key}`),
      ),
    }
  })
  return { users, at: undoable[0]?.at ?? '' }
}

/**
 * Returns what changed later in the records of these audit rows: a set of `<record> <key>`, with each action and each
 * key of the detail of later rows. The IDs tell the order: the change held these users locked. One statement reads all
 * later rows: a search in the index of records takes a millisecond or more for each user while PostgreSQL has new rows
 * outside the index.
 */
async function changesAfter(
  tx: Transaction<Database>,
  rows: readonly { id: string; record: string }[],
): Promise<Set<string>> {
  const last = rows.at(-1)
  if (last === undefined) return new Set()
  const { rows: later } = await sql<{
    recordAndKey: string
  }>`select distinct record || ' ' || key as "recordAndKey"
    from audit_log, unnest(records) as record, unnest(action || array(select jsonb_object_keys(detail))) as key
    where record = any(${rows.map(({ record }) => record)}::text[]) and id > ${last.id}`.execute(tx)
  return new Set(later.map(({ recordAndKey }) => recordAndKey))
}

/** SQL condition that the row `l` of the audit log is about one user and has only values that an undo restores. */
export const isUndoable = sql<boolean>`(l.action in ('user.extend', 'user.update')
  and l.detail - ${[...UNDOABLE, 'teamName', ...REMARKS]}::text[] = '{}'
  and l.detail - ${REMARKS}::text[] <> '{}')`

/**
 * SQL expression for the ID of the row `l` of the audit log if its bulk change can be undone: one call wrote several
 * such rows. '' for any other row.
 */
export const undoId = sql<string>`case when ${isUndoable}
  and exists (select from audit_log same where same.actor_id = l.actor_id and same.at = l.at
    and same.request_id = l.request_id and same.action = l.action and same.id <> l.id) then l.id::text else '' end`

/** Display names of the values of an undo, by column and value. */
type Names = Partial<Record<Undoable, Record<string, string>>>

/**
 * Locks the partners and teams of former values until the transaction ends, and reads the affiliations, roles and
 * names.
 * @returns `isPlace` returns whether a user may be put into the former affiliation with the former partner: both must
 * exist, and neither may be closed or deactivated. `teamIdOf` returns the former main team, undefined if it no longer
 * exists. `namesIn` returns the display names
 */
async function placesIn(tx: Transaction<Database>, users: readonly ChangedUser[]) {
  const values = users.flatMap(({ former, changed }) => [former, changed])
  const all = (key: Undoable) => [...new Set(values.flatMap((each) => each[key] ?? []))]
  const affiliations = await tx
    .selectFrom('codes')
    .select(['code', 'nameKo', 'nameEn', 'closedAt'])
    .where('groupCode', '=', CODE_GROUP.affiliation)
    .where('code', '=', sql<string>`any(${all('affiliationCode')}::text[])`)
    .execute()
  const partners = await tx
    .selectFrom('partners')
    .select(['id', 'code', 'affiliationCode', 'stoppedAt'])
    .where('id', '=', sql<string>`any(${all('partnerId')}::bigint[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const roles = await tx
    .selectFrom('roles')
    .select(['code', 'groupName', 'nameEn'])
    .where('code', '=', sql<string>`any(${all('roleCode')}::text[])`)
    .execute()
  const teams = await tx
    .selectFrom('teams')
    .select(['id', 'affiliationCode', sql<string>`team_path(id, false)`.as('path')])
    .where(sql<boolean>`team_path(id, false) = any(${all('teamName')}::text[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const teamIds = new Map(teams.map(({ id, affiliationCode, path }) => [`${affiliationCode} ${path}`, id]))
  const partnerCodes = Object.fromEntries(partners.map(({ id, code }) => [id, code]))
  const namesIn = (language: Language): Names => ({
    affiliationCode: Object.fromEntries(affiliations.map((each) => [each.code, each[nameColumn[language]]])),
    partnerId: partnerCodes,
    roleCode: Object.fromEntries(
      roles.map((each) => [each.code, language === 'ko' ? each.groupName : each.nameEn]),
    ),
  })

  function isPlace(present: string, { affiliationCode, partnerId }: Former): boolean {
    const affiliation = affiliations.find(({ code }) => code === affiliationCode)
    if (typeof affiliationCode === 'string' && affiliation?.closedAt !== null) return false
    if (typeof partnerId !== 'string') return true
    const partner = partners.find(({ id }) => id === partnerId)
    return partner?.stoppedAt === null && partner.affiliationCode === (affiliationCode ?? present)
  }
  const teamIdOf = (person: ChosenPerson, { affiliationCode, teamName }: Former): string | undefined =>
    teamIds.get(`${affiliationCode ?? person.affiliationCode} ${teamName ?? ''}`)
  return { namesIn, isPlace, teamIdOf }
}

/** Returns the values of an undo as text, as in the preview of the change, joined with ' · '. An empty value is '–'. */
function textOf(values: Former, names: Names): string {
  const keys = [...UNDOABLE, 'teamName' as const].filter((key) => key in values)
  return keys.map((key) => names[key]?.[values[key] ?? ''] ?? (values[key] || '–')).join(' · ')
}

/** Casts of the columns that hold no text, for `restore`. */
const TYPES: Partial<Record<Undoable, RawBuilder<unknown>>> = {
  partnerId: sql`::bigint`,
  validFrom: sql`::date`,
  validTo: sql`::date`,
}

/**
 * Writes the former values of users in one statement, and then their main teams, which another affiliation ends. A user
 * whose former team is '' leaves the team. Writes no audit row.
 */
async function restore(
  tx: Transaction<Database>,
  able: readonly ChosenPerson[],
  formerOf: (person: ChosenPerson) => Former,
  teamIdOf: (person: ChosenPerson, former: Former) => string | undefined,
): Promise<void> {
  const rows = able.map((person) => ({ id: person.id, former: formerOf(person), person }))
  const assigned = UNDOABLE.map((key) => {
    const value = sql`(f.former ->> ${key}::text)${TYPES[key] ?? sql``}`
    return sql`${sql.ref(key)} = case when f.former ? ${key}::text then ${value} else ${sql.ref(`u.${key}`)} end`
  })
  const given = JSON.stringify(rows.map(({ id, former }) => ({ id, former })))
  await sql`update users u set ${sql.join(assigned)}, updated_at = now()
    from jsonb_to_recordset(${given}::jsonb) as f (id bigint, former jsonb) where u.id = f.id`.execute(tx)
  const joining = rows.flatMap(({ id, former, person }) => {
    const teamId = former.teamName === '' ? '' : teamIdOf(person, former)
    return teamId === undefined ? [] : [{ userId: id, teamId }]
  })
  await joinTeams(tx, joining)
}
