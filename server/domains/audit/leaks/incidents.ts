import { type Kysely, sql, type Transaction } from 'kysely'
import {
  INCIDENT_HOURS,
  INCIDENT_STATES,
  type IncidentStep,
  type createIncident as createEndpoint,
  type getIncident as oneEndpoint,
  type LeakOrigin,
  type listIncidents as manyEndpoint,
  type markIncident as markEndpoint,
  type updateIncident as updateEndpoint,
} from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import { pageOf } from '../../../db/list.ts'
import { fromWireTime, orEmpty, timeText, wireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import { versionOf } from '../../../db/version.ts'
import type { Handler } from '../../../http/handler.ts'
import { differences } from '../../../records/audit.ts'
import { officerNow } from '../../settings/index.ts'
import { titleAt } from '../access-log/call-names.ts'
import { figuresOf } from './people.ts'

/** Columns of each step of an incident. */
const STEPS = {
  NOTIFIED: ['notifiedAt', 'notifiedBy'],
  REPORTED: ['reportedAt', 'reportedBy'],
  CLOSED: ['closedAt', 'closedBy'],
} as const satisfies Record<IncidentStep, readonly [string, string]>

const state = sql<(typeof INCIDENT_STATES)[number]>`case when i.closed_at is not null then 'CLOSED'
  when i.reported_at is not null then 'REPORTED' when i.notified_at is not null then 'NOTIFIED' else 'OPEN' end`

/** Returns a query of incidents as `i` with the name of the user who created each. */
const incidents = (db: Kysely<Database>) =>
  db
    .selectFrom('incidents as i')
    .innerJoin('users as c', 'c.id', 'i.createdBy')
    .select((eb) => [
      'i.id as incidentId',
      'i.title',
      wireTime(eb.ref('i.knownAt')).as('knownAt'),
      wireTime(sql`(i.known_at + make_interval(hours => ${sql.lit(INCIDENT_HOURS)}))`).as('dueAt'),
      state.as('incidentState'),
      wireTime(eb.ref('i.createdAt')).as('createdAt'),
      'c.name as creatorName',
    ])

/** Lists the incidents (rules/audit#leak-incidents). */
export const listIncidents: Handler<typeof manyEndpoint> = async ({ db }, input) => {
  const { rows, totalCount } = await pageOf(db, incidents(db).orderBy('i.id', 'desc'), input)
  return { rows, totalCount }
}

/** Texts of an incident that its form edits. */
interface Texts {
  title: string
  knownAt: string
  notes: string
  noticeDraft: string
  reportDraft: string
}

/** Returns the texts of an incident in their columns, and the version: a digest of these and of the recorded steps. */
function editedOf(row: Texts & { steps: readonly string[] }) {
  const { title, knownAt, notes, noticeDraft, reportDraft, steps } = row
  const texts: Texts = { title, knownAt, notes, noticeDraft, reportDraft }
  return { texts, version: versionOf([...Object.values(texts), ...steps]) }
}

const editedColumns = [
  'i.title',
  'i.notes',
  'i.noticeDraft',
  'i.reportDraft',
  wireTime(sql<Date>`i.known_at`).as('knownAt'),
  sql<
    string[]
  >`array[${timeText('i.notifiedAt')}, ${timeText('i.reportedAt')}, ${timeText('i.closedAt')}]`.as('steps'),
] as const

/** Returns an incident (rules/audit#leak-incident). */
export const getIncident: Handler<typeof oneEndpoint> = async (call, { incidentId }) => {
  const { db, language, services } = call
  const found = await incidents(db)
    .leftJoin('users as n', 'n.id', 'i.notifiedBy')
    .leftJoin('users as r', 'r.id', 'i.reportedBy')
    .leftJoin('users as l', 'l.id', 'i.closedBy')
    .select(editedColumns)
    .select([
      wireTime(sql<Date>`now()`).as('readAt'),
      sql<string[]>`array[${orEmpty('n.name')}, ${orEmpty('r.name')}, ${orEmpty('l.name')}]`.as('names'),
    ])
    .where('i.id', '=', incidentId)
    .executeTakeFirst()
  if (found === undefined) refuse('INCIDENT_NOT_FOUND')
  const { steps, names, ...incident } = found
  const searches = await db
    .selectFrom('leakSearches as s')
    .innerJoin('users as b', 'b.id', 's.searchedBy')
    .leftJoin('users as a', 'a.id', 's.accountId')
    .select((eb) => [
      's.id as leakSearchId',
      sql<LeakOrigin>`s.origin`.as('leakOrigin'),
      sql<string>`case when s.origin = 'ACCOUNT' then coalesce(a.login_id, '') else s.value end`.as(
        'originValue',
      ),
      orEmpty('a.name').as('name'),
      's.accountId',
      wireTime(eb.ref('s.searchedFrom')).as('searchedFrom'),
      wireTime(eb.ref('s.searchedTo')).as('searchedTo'),
      wireTime(eb.ref('s.searchedAt')).as('searchedAt'),
      'b.name as searcherName',
      sql<number>`s.people::float8`.as('personCount'),
      sql<number>`s.records::float8`.as('recordCount'),
    ])
    .where('s.incidentId', '=', incidentId)
    .orderBy('s.id')
    .execute()
  call.touches(searches.flatMap(({ accountId }) => accountId ?? []))
  const { calls, ...figures } = await figuresOf(db, incidentId)
  return {
    ...incident,
    incidentSteps: (Object.keys(STEPS) as IncidentStep[]).map((incidentStep, place) => ({
      incidentStep,
      doneAt: steps[place] ?? '',
      doneBy: names[place] ?? '',
    })),
    searches,
    ...figures,
    tasks: calls.map((path) => titleAt(path)?.[language] ?? path),
    officerName: await officerNow(db),
    portalName: services.settings.now().company,
    version: editedOf(found).version,
  }
}

/**
 * Locks an incident that is not closed until the transaction ends.
 * @throws {Refusal} INCIDENT_NOT_FOUND, INCIDENT_CLOSED
 */
export async function lockOpenIncident(tx: Transaction<Database>, incidentId: string) {
  const found = await tx
    .selectFrom('incidents as i')
    .select(editedColumns)
    .where('i.id', '=', incidentId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (found === undefined) refuse('INCIDENT_NOT_FOUND')
  if (found.steps[2] !== '') refuse('INCIDENT_CLOSED')
  return { ...editedOf(found), steps: found.steps }
}

/** Creates an incident. @throws {Refusal} INCIDENT_TIME */
export const createIncident: Handler<typeof createEndpoint> = async (call, { title, knownAt }) => {
  const { db, actor } = call
  return db.transaction().execute(async (tx) => {
    await checkPast(tx, knownAt)
    const { incidentId } = await tx
      .insertInto('incidents')
      .values({ title, knownAt: fromWireTime(knownAt), createdBy: actor.id })
      .returning('id as incidentId')
      .executeTakeFirstOrThrow()
    await call.audit(tx, { target: incidentId, detail: { title, knownAt }, records: null })
    return { incidentId }
  })
}

async function checkPast(tx: Transaction<Database>, time: string): Promise<void> {
  const { isPast } = await tx
    .selectNoFrom(sql<boolean>`${fromWireTime(time)} <= now()`.as('isPast'))
    .executeTakeFirstOrThrow()
  if (!isPast) refuse('INCIDENT_TIME')
}

/**
 * Saves the texts of an open incident. The audit log has their earlier versions.
 * @throws {Refusal} INCIDENT_NOT_FOUND, INCIDENT_CLOSED, INCIDENT_TIME, RECORD_CHANGED
 */
export const updateIncident: Handler<typeof updateEndpoint> = async (
  call,
  { incidentId, version, ...input },
) => {
  await call.db.transaction().execute(async (tx) => {
    const before = await lockOpenIncident(tx, incidentId)
    if (version !== before.version) refuse('RECORD_CHANGED')
    const { texts } = before
    const given = Object.entries(input).filter(([, value]) => value !== undefined)
    const after: Texts = { ...texts, ...Object.fromEntries(given) }
    // A time that was sent without its seconds is the same.
    if (texts.knownAt.startsWith(after.knownAt)) after.knownAt = texts.knownAt
    if (after.knownAt !== texts.knownAt) await checkPast(tx, after.knownAt)
    await tx
      .updateTable('incidents')
      .set({ ...after, knownAt: fromWireTime(after.knownAt) })
      .where('id', '=', incidentId)
      .execute()
    await call.audit(tx, { target: incidentId, detail: differences(texts, after), records: null })
  })
  return {}
}

/**
 * Records a step of an incident with the present time and the caller.
 * @throws {Refusal} INCIDENT_NOT_FOUND, RECORD_CHANGED, INCIDENT_CLOSED also if the step is recorded, INCIDENT_UNDECIDED to close an
 *   incident without notice or report and without notes
 */
export const markIncident: Handler<typeof markEndpoint> = async (
  call,
  { incidentId, incidentStep, version },
) => {
  await call.db.transaction().execute(async (tx) => {
    const before = await lockOpenIncident(tx, incidentId)
    if (before.steps[Object.keys(STEPS).indexOf(incidentStep)] !== '') refuse('INCIDENT_CLOSED')
    if (version !== before.version) refuse('RECORD_CHANGED')
    const isDecided = before.steps.slice(0, 2).every((at) => at !== '') || before.texts.notes.trim() !== ''
    if (incidentStep === 'CLOSED' && !isDecided) refuse('INCIDENT_UNDECIDED')
    const [time, user] = STEPS[incidentStep]
    await tx
      .updateTable('incidents')
      .set({ [time]: sql`now()`, [user]: call.actor.id })
      .where('id', '=', incidentId)
      .execute()
    await call.audit(tx, { target: incidentId, detail: { incidentStep }, records: null })
  })
  return {}
}
