import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import {
  type getRetention as readEndpoint,
  RETENTION,
  RETENTION_KINDS,
  type RetentionKind,
  type updateRetention as updateEndpoint,
} from '../../../contract/settings/retention.ts'
import type { Db } from '../../db/database.ts'
import { wireTime } from '../../db/sql.ts'
import { versionOf } from '../../db/version.ts'
import type { Handler } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'

/** Retention period of each kind, in the days or months of its unit. */
type Kept = Record<RetentionKind, number>

/** Retention settings as they are saved: only those that were set. */
interface Saved extends Partial<Kept> {
  officerName?: string
  officerContact?: string
}

/**
 * Returns the retention period of each kind. A kind that is not set gets its default, and every value is limited to the
 * bounds of this release.
 */
function limitToBounds(saved: Saved): Kept {
  return Object.fromEntries(
    RETENTION_KINDS.map((kind) => {
      const { min, max, usual } = RETENTION[kind]
      return [kind, Math.min(max, Math.max(min, saved[kind] ?? usual))]
    }),
  ) as Kept
}

/**
 * Returns the saved retention settings, and whether and since when data is erased.
 * @param lock locks the row of settings until the transaction ends, against all others or against changes
 */
async function findSaved(db: Db, lock: 'update' | 'share' | 'none') {
  return db
    .selectFrom('settings')
    .select((eb) => [
      'retention',
      wireTime(eb.ref('erasingFrom')).as('erasingFrom'),
      sql<boolean>`erasing_from <= now()`.as('isErasing'),
    ])
    .$if(lock === 'update', (query) => query.forUpdate())
    .$if(lock === 'share', (query) => query.forShare())
    .executeTakeFirstOrThrow()
}

/**
 * Returns the retention period of each kind and locks the settings until the transaction ends. A concurrent change
 * waits, so that nothing is erased by an outdated setting.
 * @returns undefined while erasing is off
 */
export async function retentionInForce(tx: Db): Promise<Kept | undefined> {
  const { retention, isErasing } = await findSaved(tx, 'share')
  return isErasing ? limitToBounds(retention as Saved) : undefined
}

/**
 * Returns the retention period of each kind, in the unit of the kind, without locking the settings. `isErasing` is
 * false until erasing begins, a week after the update that introduced it.
 */
export async function findRetention(db: Db): Promise<Kept & { isErasing: boolean }> {
  const { retention, isErasing } = await findSaved(db, 'none')
  return { ...limitToBounds(retention as Saved), isErasing }
}

/** Returns the version of the retention settings, by which a change notices a concurrent one. */
const versionFor = (saved: Saved) => {
  const kept = limitToBounds(saved)
  return versionOf([
    RETENTION_KINDS.map((kind) => kept[kind]),
    saved.officerName ?? '',
    saved.officerContact ?? '',
  ])
}

/**
 * Returns the retention period of each kind of data, in the unit of its kind, the officer, since when data is erased,
 * and the version (rules/retention#settings). `elsewhere` lists the data whose period is no setting
 * (rules/retention#elsewhere).
 */
export const getRetention: Handler<typeof readEndpoint> = async ({ db, services: { settings } }) => {
  const { retention, erasingFrom } = await findSaved(db, 'none')
  const saved = retention as Saved
  const kept = limitToBounds(saved)
  return {
    kinds: RETENTION_KINDS.map((kind) => ({ kind, keptFor: kept[kind] })),
    elsewhere: [
      { kind: 'sessions', keptFor: 0 },
      { kind: 'codes', keptFor: 0 },
      { kind: 'sentMails', keptFor: 0 },
      { kind: 'loginTries', keptFor: 30 },
      { kind: 'loginNetworks', keptFor: 180 },
      { kind: 'accessLog', keptFor: settings.now().accessLogMonths },
    ],
    ...officerOf(saved),
    erasingFrom,
    version: versionFor(saved),
  }
}

/** Returns name and contact of the officer; '' if they are not set. */
const officerOf = ({ officerName = '', officerContact = '' }: Saved) => ({ officerName, officerContact })

/** Returns name and contact of the officer who is responsible for erasing; '' if they are not set. */
export async function findOfficer(db: Db): Promise<{ officerName: string; officerContact: string }> {
  const { retention } = await findSaved(db, 'none')
  return officerOf(retention as Saved)
}

/**
 * Changes the officer and the retention periods, with an audit row unless nothing changes. They apply from the next
 * batch of erasing on. Kinds and a contact that the input omits stay unchanged (rules/retention#settings).
 * @throws {Refusal} RECORD_CHANGED if they changed since `version`
 */
export const updateRetention: Handler<typeof updateEndpoint> = (call, input) =>
  call.db.transaction().execute(async (tx) => {
    const { retention } = await findSaved(tx, 'update')
    const saved = retention as Saved
    if (input.version !== versionFor(saved)) refuse('RECORD_CHANGED')
    const before = { ...limitToBounds(saved), ...officerOf(saved) }
    const after = {
      ...before,
      ...Object.fromEntries(input.kinds.map(({ kind, keptFor }) => [kind, keptFor])),
      officerName: input.officerName,
      officerContact: input.officerContact ?? before.officerContact,
    }
    await sql`update settings set retention = ${JSON.stringify(after)}::jsonb`.execute(tx)
    await call.audit(tx, { target: 'retention', detail: differences(before, after), records: null })
  })
