import { type Kysely, sql, type Transaction } from 'kysely'
import {
  type createIncident as createEndpoint,
  type getIncident as oneEndpoint,
  INCIDENT_HOURS,
  type INCIDENT_STATES,
  type IncidentRecord,
  type LEAK_CERTAINTIES,
  type LeakOrigin,
  type listIncidents as manyEndpoint,
  type recordIncident as recordEndpoint,
  type updateIncident as updateEndpoint,
} from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import { pageOf } from '../../../db/list.ts'
import { fromWireTime, orEmpty, wireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import { versionOf } from '../../../db/version.ts'
import type { Handler } from '../../../http/handler.ts'
import { differences } from '../../../records/audit.ts'
import { findOfficer } from '../../settings/index.ts'
import { titleAt } from '../access-log/call-names.ts'
import { summarizePeople } from './people.ts'

/** Returns the SQL condition that a time in the format of the wire is not in the future; true for ''. */
const isPast = (time: string) =>
  time === '' ? sql<boolean>`true` : sql<boolean>`${fromWireTime(time)} <= now()`

/** Returns the SQL condition that an incident `i` has a record of a kind. */
const has = (kind: IncidentRecord) =>
  sql<boolean>`exists (select from incident_records r where r.incident_id = i.id and r.kind = ${kind})`

/** SQL expression for the state of an incident `i`. */
const state = sql<(typeof INCIDENT_STATES)[number]>`case when i.closed_at is not null then 'CLOSED'
  when ${has('REPORT')} then 'REPORTED' when ${has('NOTICE')} then 'NOTIFIED' else 'OPEN' end`

/**
 * Returns the query for incidents `i`: title, time of knowledge and the end of INCIDENT_HOURS after it, state, and the
 * creator's name.
 */
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

/** Returns a page of the leak incidents, newest first (rules/audit#leak-incidents). */
export const listIncidents: Handler<typeof manyEndpoint> = async ({ db }, input) => {
  const { rows, totalCount } = await pageOf(db, incidents(db).orderBy('i.id', 'desc'), input)
  return { rows, totalCount }
}

/** Values of an incident that its form edits. */
interface Edited {
  title: string
  leakCertainty: (typeof LEAK_CERTAINTIES)[number]
  notes: string
  noticeDraft: string
  reportDraft: string
}

/** Returns the edited values of an incident, and the version: a digest of these and of the number of records. */
function editedOf({ records, ...row }: Edited & { records: number }) {
  const { title, leakCertainty, notes, noticeDraft, reportDraft } = row
  const texts: Edited = { title, leakCertainty, notes, noticeDraft, reportDraft }
  return { texts, version: versionOf([...Object.values(texts), records]) }
}

/** Columns that `editedOf` needs. */
const editedColumns = [
  'i.title',
  sql<Edited['leakCertainty']>`i.leak_certainty`.as('leakCertainty'),
  'i.notes',
  'i.noticeDraft',
  'i.reportDraft',
  'i.records',
] as const

/**
 * Returns the records of an incident, such as its notice or report, in the order in which they were added
 * (rules/audit#leak-records).
 */
const recordsOf = (db: Kysely<Database>, incidentId: string) =>
  db
    .selectFrom('incidentRecords as r')
    .innerJoin('users as u', 'u.id', 'r.recordedBy')
    .select((eb) => [
      sql<IncidentRecord>`r.kind`.as('incidentRecord'),
      wireTime(eb.ref('r.happenedAt')).as('happenedAt'),
      wireTime(eb.ref('r.recordedAt')).as('recordedAt'),
      'u.name as recorderName',
      'r.method as deliveryMethod',
      sql<number>`r.people::float8`.as('notifiedCount'),
      'r.receiptNumber',
      'r.remark',
      'r.body as recordedText',
    ])
    .where('r.incidentId', '=', incidentId)
    .orderBy('r.id')
    .execute()

/**
 * Returns an incident with its texts, records and searches, and the summary of its data subjects
 * (rules/audit#leak-incident).
 * @throws {Refusal} INCIDENT_NOT_FOUND
 */
export const getIncident: Handler<typeof oneEndpoint> = async (call, { incidentId }) => {
  const { db, language, services } = call
  const found = await incidents(db)
    .select(editedColumns)
    .select(wireTime(sql<Date>`now()`).as('readAt'))
    .where('i.id', '=', incidentId)
    .executeTakeFirst()
  if (found === undefined) refuse('INCIDENT_NOT_FOUND')
  const { records: _, ...incident } = found
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
  const { calls, ...figures } = await summarizePeople(db, incidentId)
  return {
    ...incident,
    incidentRecords: await recordsOf(db, incidentId),
    searches,
    ...figures,
    tasks: calls.map((path) => titleAt(path)?.[language] ?? path),
    ...(await findOfficer(db)),
    portalName: services.settings.now().company,
    version: editedOf(found).version,
  }
}

/**
 * Locks an incident that is not closed until the transaction ends, and returns its texts and version. `isDecided` is true if it
 * has a record of the notice and of the report, or of why there is none, so that it may be closed.
 * @param time a time in the format of the wire, '' for none; `isPast` of the result is false if it is in the future
 * @throws {Refusal} INCIDENT_NOT_FOUND, INCIDENT_CLOSED
 */
export async function lockOpenIncident(tx: Transaction<Database>, incidentId: string, time = '') {
  const found = await tx
    .selectFrom('incidents as i')
    .select(editedColumns)
    .select([
      sql<boolean>`i.closed_at is not null`.as('isClosed'),
      // May lack records of a caller who held the lock. The version does not.
      sql<boolean>`(${has('NOTICE')} or ${has('NO_NOTICE')}) and (${has('REPORT')} or ${has('NO_REPORT')})`.as(
        'isDecided',
      ),
      isPast(time).as('isPast'),
    ])
    .where('i.id', '=', incidentId)
    .forNoKeyUpdate('i')
    .executeTakeFirst()
  if (found === undefined) refuse('INCIDENT_NOT_FOUND')
  const { isClosed, isDecided, isPast: isPastTime, ...row } = found
  if (isClosed) refuse('INCIDENT_CLOSED')
  return { ...editedOf(row), isDecided, isPast: isPastTime }
}

/**
 * Creates an incident, with the time of knowledge as its first record, and an audit row. Returns its ID.
 * @throws {Refusal} INCIDENT_TIME if that time is in the future
 */
export const createIncident: Handler<typeof createEndpoint> = async (call, input) => {
  const { title, leakCertainty, knownAt } = input
  const recordedBy = call.actor.id
  return call.db.transaction().execute(async (tx) => {
    const { past } = await tx.selectNoFrom(isPast(knownAt).as('past')).executeTakeFirstOrThrow()
    if (!past) refuse('INCIDENT_TIME')
    const known = fromWireTime(knownAt)
    const { incidentId } = await tx
      .insertInto('incidents')
      .values({ title, leakCertainty, knownAt: known, createdBy: recordedBy })
      .returning('id as incidentId')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('incidentRecords')
      .values({ incidentId, kind: 'KNOWN', happenedAt: known, recordedBy })
      .execute()
    await call.audit(tx, { target: incidentId, detail: input, records: null })
    return { incidentId }
  })
}

/**
 * Saves those texts of an open incident that the input has, with an audit row that contains the earlier ones.
 * @throws {Refusal} INCIDENT_NOT_FOUND; INCIDENT_CLOSED; RECORD_CHANGED if it changed since `version`
 */
export const updateIncident: Handler<typeof updateEndpoint> = async (
  call,
  { incidentId, version, ...input },
) => {
  await call.db.transaction().execute(async (tx) => {
    const { texts, version: present } = await lockOpenIncident(tx, incidentId)
    if (version !== present) refuse('RECORD_CHANGED')
    const given = Object.entries(input).filter(([, value]) => value !== undefined)
    const after: Edited = { ...texts, ...Object.fromEntries(given) }
    await tx.updateTable('incidents').set(after).where('id', '=', incidentId).execute()
    await call.audit(tx, { target: incidentId, detail: differences(texts, after), records: null })
  })
  return {}
}

/** Drafts whose current text a record of a notice or of a report copies, by the kind of the record. */
const DRAFTS: Partial<Record<IncidentRecord, 'noticeDraft' | 'reportDraft'>> = {
  NOTICE: 'noticeDraft',
  REPORT: 'reportDraft',
}

/**
 * Adds a record to an open incident, with an audit row; the record `CLOSED` closes it. A notice or report copies its
 * draft as it is now. A corrected time of knowledge moves the end of the 72 hours.
 * @throws {Refusal} INCIDENT_NOT_FOUND; INCIDENT_CLOSED; INCIDENT_TIME if the time is in the future; INCIDENT_UNDECIDED
 * if it is to be closed without a decision on notice and report; RECORD_CHANGED if it changed since `version`
 */
export const recordIncident: Handler<typeof recordEndpoint> = async (
  call,
  { incidentId, version, ...record },
) => {
  await call.db.transaction().execute(async (tx) => {
    const found = await lockOpenIncident(tx, incidentId, record.happenedAt)
    const { texts } = found
    if (version !== found.version) refuse('RECORD_CHANGED')
    if (!found.isPast) refuse('INCIDENT_TIME')
    const { incidentRecord: kind, deliveryMethod, notifiedCount, receiptNumber, remark } = record
    if (kind === 'CLOSED' && !found.isDecided) refuse('INCIDENT_UNDECIDED')
    const happenedAt = fromWireTime(record.happenedAt)
    const draft = DRAFTS[kind]
    await tx
      .insertInto('incidentRecords')
      .values({
        incidentId,
        kind,
        happenedAt,
        recordedBy: call.actor.id,
        method: deliveryMethod,
        people: String(notifiedCount),
        receiptNumber,
        remark,
        body: draft === undefined ? '' : texts[draft],
      })
      .execute()
    await tx
      .updateTable('incidents')
      .set({
        records: sql`records + 1`,
        ...(kind === 'KNOWN' ? { knownAt: happenedAt } : {}),
        ...(kind === 'CLOSED' ? { closedAt: sql`now()` } : {}),
      })
      .where('id', '=', incidentId)
      .execute()
    await call.audit(tx, { target: incidentId, detail: record, records: null })
  })
  return {}
}
