import { sql } from 'kysely'
import type { Filter } from 'scim2-parse-filter'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import type { scimRequests } from '../../../contract/scim-requests.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { refuseScim } from '../../http/scim-failure.ts'
import { textOf } from './attributes.ts'
import { isObject, matches, URN } from './paths.ts'
import { mapScimErrors } from './create.ts'
import type { Filterable, Filterables } from './filter.ts'
import { field, type Step, parsePatch, stepsOf } from './patch.ts'
import { isId, lockProvider } from './queries.ts'
import { isRequested, toMeta, project } from './resource.ts'
import { filteredBy, listOf, pageOf } from './users.ts'

type Request = typeof scimRequests.changeGroup
type Input = ParsedInputOf<Request>

/** Change of a group: new names, and the members that are added and removed, or that replace all others. */
interface Change {
  displayName?: string
  externalId?: string | null
  replacesAll: boolean
  added: Set<string>
  removed: Set<string>
}

/**
 * Returns the query for the groups `g` of a provider.
 * @param hasMembers with the IDs and names of their members, without withdrawn ones; otherwise `members` is empty
 */
const queryGroups = (db: Db, providerId: string, hasMembers: boolean) =>
  db
    .selectFrom('scimGroups as g')
    .select(['g.id', 'g.displayName', 'g.externalId', 'g.createdAt', 'g.updatedAt'])
    .select(
      sql<{ value: string; display: string }[]>`${
        hasMembers
          ? sql`coalesce((select json_agg(json_build_object('value', u.id::text, 'display', u.name) order by u.id)
              from scim_group_members m join users u on u.id = m.user_id
              where m.group_id = g.id and u.withdrawn_at is null), '[]')`
          : sql`'[]'::json`
      }`.as('members'),
    )
    .where('g.providerId', '=', providerId)

/** A row of `queryGroups`: a group with its members, if they were requested. */
type Group = Awaited<ReturnType<ReturnType<typeof queryGroups>['executeTakeFirstOrThrow']>>

/** Attributes that a filter of groups may name, for `listGroups`. Members can be compared only by ID with `eq`. */
const FILTERS: Filterables = new Map<string, Filterable>([
  ['displayname', { text: sql`g.display_name` }],
  ['externalid', { text: sql`g.external_id`, isExact: true }],
  ['id', { text: sql`('g' || g.id)`, isExact: true }],
  ['meta.created', { text: sql`g.created_at`, type: 'time' }],
  ['meta.lastmodified', { text: sql`g.updated_at`, type: 'time' }],
  ['members.type', { text: sql`'User'` }],
  ...['members', 'members.value'].map(
    (name) =>
      [
        name,
        {
          text: sql`''`,
          has: (id: string) =>
            sql<boolean>`exists (select from scim_group_members m where m.group_id = g.id and m.user_id::text = ${id})`,
        },
      ] as const,
  ),
])

/**
 * Returns a group as a resource of SCIM.
 * @param base URL of the portal's SCIM
 */
function toGroupResource({ members, ...group }: Group, base: string): Record<string, unknown> {
  return {
    schemas: [URN.group],
    id: `g${group.id}`,
    ...(group.externalId !== null && { externalId: group.externalId }),
    displayName: group.displayName,
    members: members.map((one) => ({ ...one, type: 'User', $ref: `${base}/Users/${one.value}` })),
    meta: toMeta('Group', group, `${base}/Groups/g${group.id}`),
  }
}

/**
 * Returns a group of a provider, with its members by default.
 * @param id ID in SCIM: `g` and scim_groups.id. The letter keeps it different from the IDs of users, because
 * members may be given without their type
 * @param hasMembers false to leave `members` empty
 * @throws {Refusal} SCIM_GROUP_NOT_FOUND if the ID has another form, or the provider has no such group
 */
async function findGroup(db: Db, providerId: string, id: string, hasMembers = true): Promise<Group> {
  const number = id.slice(1)
  const group =
    id.startsWith('g') && isId(number)
      ? await queryGroups(db, providerId, hasMembers).where('g.id', '=', number).executeTakeFirst()
      : undefined
  return group ?? refuse('SCIM_GROUP_NOT_FOUND')
}

/**
 * Returns a page of the provider's groups that the filter matches, and their total number. Logs access to their
 * members, unless the request leaves members out.
 * @throws {ScimRefusal} invalidFilter; invalidValue for an invalid page
 */
const listGroups: Handler<typeof scimRequests.listGroups> = async (call, input) => {
  const { db, actor } = call
  const condition = filteredBy(input.filter, FILTERS)
  const { first, size } = pageOf(input)
  const found = queryGroups(db, actor.providerId, isRequested('members', input)).where(condition)
  const { total } = await found
    .clearSelect()
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  const groups = await found
    .orderBy('g.id')
    .limit(size)
    .offset(first - 1)
    .execute()
  call.touches(groups.flatMap(({ members }) => members.map(({ value }) => value)))
  const resources = groups.map((group) => project(toGroupResource(group, input.base), input))
  return { status: 200, resource: listOf(resources, first, total) }
}

/**
 * Returns a group of the provider, with its members unless the request leaves them out. Logs access to the
 * members.
 * @throws {Refusal} SCIM_GROUP_NOT_FOUND
 */
const getGroup: Handler<typeof scimRequests.getGroup> = async (call, input) => {
  const group = await findGroup(call.db, call.actor.providerId, input.id, isRequested('members', input))
  call.touches(group.members.map(({ value }) => value))
  return { status: 200, resource: project(toGroupResource(group, input.base), input) }
}

/**
 * Returns the IDs (users.id) in a value of members: a list or a single one, of IDs or of objects with a `value`.
 * Ignores other values.
 */
function readMemberIds(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.map((one) => (isObject(one) ? field(one, 'value') : one)).filter(isId)
}

/**
 * Returns the users.id that a filter of a PATCH path selects, as in `members[value eq "12"]`: the IDs that the filter
 * itself contains and that match all of it. Stored members are not read. Empty if the filter contains no ID.
 * @throws {ScimRefusal} invalidPath as `matches`, but only if the filter contains an ID
 */
function readFilteredIds(filter: Filter): string[] {
  const named = (part: Filter): unknown[] => {
    if ('filters' in part) return part.filters.flatMap(named)
    return 'compValue' in part ? [part.compValue] : []
  }
  return named(filter).filter((id) => isId(id) && matches(filter, { value: id, type: 'User' })) as string[]
}

/**
 * Returns the change of a group that the steps of a request describe, in their order. Stores nothing. A removal of
 * `members` without a filter and value removes all of them. Non-strict steps ignore unknown attributes.
 * @param isWhole true for POST and PUT: the members of the request replace all others, and displayName is required
 * @throws {ScimRefusal} mutability for a removed displayName or a changed `id` or `meta`; invalidPath for an
 * unknown attribute; invalidValue without a displayName
 */
function toGroupChange(steps: readonly Step[], isWhole: boolean): Change {
  const change: Change = { replacesAll: isWhole, added: new Set(), removed: new Set() }
  for (const { op, path, value, isStrict } of steps) {
    const { name, filter } = path
    if (name === 'displayname') {
      if (op === 'remove') refuseScim('mutability', 'displayName is required')
      change.displayName = textOf(value, 'displayName')
    } else if (name === 'externalid') {
      change.externalId = op === 'remove' ? null : textOf(value, 'externalId') || null
    } else if (name === 'members') {
      const ids = filter === undefined ? readMemberIds(value) : readFilteredIds(filter)
      if (op === 'replace' || (op === 'remove' && filter === undefined && (value ?? null) === null)) {
        const added = new Set(op === 'replace' ? ids : [])
        Object.assign(change, { replacesAll: true, added, removed: new Set() } satisfies Partial<Change>)
      } else
        for (const id of ids) {
          const [into, from] = op === 'add' ? [change.added, change.removed] : [change.removed, change.added]
          into.add(id)
          from.delete(id)
        }
    } else if (isStrict && (name === 'id' || name === 'meta'))
      refuseScim('mutability', `${name} is read-only`)
    else if (isStrict && name !== 'schemas') refuseScim('invalidPath', 'the attribute is unknown')
  }
  if (change.displayName === '' || (isWhole && change.displayName === undefined))
    refuseScim('invalidValue', 'displayName is missing')
  return change
}

/**
 * Returns the change of a PATCH.
 * @throws {ScimRefusal} as `parsePatch` and `toGroupChange`
 */
const toPatch = ({ body }: Input) => toGroupChange(parsePatch(body), false)

/**
 * Returns the change of a POST or PUT: the members of the body replace all others, and no `members` removes all.
 * @throws {ScimRefusal} as `stepsOf` and `toGroupChange`
 */
const toReplacement = ({ body }: Input) => toGroupChange(stepsOf('add', body), true)

/**
 * Stores the change of a group: names, time of the change, and members. Changes no role of a member. Ignores new
 * members who are no accounts of the provider.
 * @returns users.id of the members that were added or removed
 * @throws {Refusal} as `mapScimErrors`
 */
async function saveGroup(tx: Tx, providerId: string, groupId: string, change: Change): Promise<string[]> {
  const { displayName, externalId, replacesAll, added, removed } = change
  await mapScimErrors(() =>
    tx
      .updateTable('scimGroups')
      .set({
        ...(displayName !== undefined && { displayName }),
        ...(externalId !== undefined && { externalId }),
        updatedAt: sql`now()`,
      })
      .where('id', '=', groupId)
      .execute(),
  )
  const [into, from] = [[...added], [...removed]]
  const { rows } = await sql<{ userId: string }>`
    with gone as (delete from scim_group_members where group_id = ${groupId} and
        (user_id = any(${from}::bigint[]) or ${replacesAll} and user_id <> all(${into}::bigint[])) returning user_id),
      come as (insert into scim_group_members (group_id, user_id)
        select ${groupId}::bigint, s.user_id from scim_users s where s.provider_id = ${providerId} and s.user_id = any(${into}::bigint[])
        on conflict do nothing returning user_id)
    select user_id from gone union select user_id from come`.execute(tx)
  return rows.map(({ userId }) => userId)
}

/**
 * Creates the handler that creates a group (201, POST), replaces it (200, PUT) or changes it (204, PATCH), with an
 * audit row. Locks the provider. Logs access to the members that were added or removed. PATCH returns no resource: a
 * group may have thousands of members.
 * @param toChange reads the change from the input; its refusals are those of the handler
 * @throws {Refusal} SCIM_GROUP_NOT_FOUND; USER_ID_TAKEN for a displayName that another group has; and as `lockProvider`
 */
const changeGroup =
  (status: 201 | 200 | 204, toChange: (input: Input) => Change): Handler<Request> =>
  async (call, input) => {
    const { db, actor } = call
    const { providerId } = actor
    const change = toChange(input)
    const group = await db.transaction().execute(async (tx) => {
      await lockProvider(tx, providerId)
      const before = status === 201 ? null : await findGroup(tx, providerId, input.id, false)
      const id = before?.id ?? (await insertGroup(tx, providerId, change))
      const moved = await saveGroup(tx, providerId, id, change)
      call.touches(moved)
      const after = await findGroup(tx, providerId, `g${id}`, status !== 204)
      const target = (before ?? after).displayName
      await call.audit(tx, { target, detail: { rows: moved.length }, records: null })
      return after
    })
    return status === 204
      ? { status }
      : { status, resource: project(toGroupResource(group, input.base), input) }
  }

/**
 * Inserts a group of the provider with its displayName alone, and returns scim_groups.id. `saveGroup` stores the
 * rest.
 * @throws {Refusal} as `mapScimErrors`
 */
async function insertGroup(tx: Tx, providerId: string, { displayName = '' }: Change): Promise<string> {
  const insert = tx.insertInto('scimGroups').values({ providerId, displayName }).returning('id')
  return (await mapScimErrors(() => insert.executeTakeFirstOrThrow())).id
}

/**
 * Deletes a group of the provider, with an audit row. Locks the provider, and logs access to the members. The accounts
 * of its members stay.
 * @throws {Refusal} SCIM_GROUP_NOT_FOUND; and as `lockProvider`
 */
const deleteGroup: Handler<Request> = async (call, { id }) => {
  const { db, actor } = call
  await db.transaction().execute(async (tx) => {
    await lockProvider(tx, actor.providerId)
    const group = await findGroup(tx, actor.providerId, id)
    call.touches(group.members.map(({ value }) => value))
    await tx.deleteFrom('scimGroups').where('id', '=', group.id).execute()
    await call.audit(tx, { target: group.displayName, detail: { rows: group.members.length }, records: null })
  })
  return { status: 204 }
}

/**
 * Handlers of the SCIM requests about groups (rules/scim#groups). A group only stores its members: it gives them
 * no roles, permissions or teams in Maru.
 */
export const groupRequests = {
  listGroups,
  getGroup,
  createGroup: changeGroup(201, toReplacement),
  replaceGroup: changeGroup(200, toReplacement),
  patchGroup: changeGroup(204, toPatch),
  deleteGroup,
}
