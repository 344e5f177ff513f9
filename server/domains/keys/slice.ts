import { type Kysely, sql } from 'kysely'
import { contains } from '../../db/list.ts'
import type { Database } from '../../db/types.ts'

/** What the history and its charts are narrowed by; empty = no filter. */
export interface KeyFilter {
  affiliationCode: string
  requesterName: string
  phoneNumber: string
  /** Inclusive, in Asia/Seoul. */
  issuedFrom: string
  issuedTo: string
  provinceName: string
  districtName: string
}

/** The part of the history that a filter leaves, in the terms of the counts (key_days and its like). */
export interface Slice {
  /** key_cells.id; null: every place. */
  cells: string[] | null
  /** users.id; null: everybody. */
  users: string[] | null
  /** The first and the last day; '' where there is none. */
  from: string
  to: string
}

/** Finds the places and the people that a filter names: few, however many keys there are. */
export async function sliceOf(db: Kysely<Database>, filter: KeyFilter): Promise<Slice> {
  return {
    cells: await cellsOf(db, filter),
    users: await usersOf(db, filter),
    from: filter.issuedFrom,
    to: filter.issuedTo,
  }
}

async function cellsOf(db: Kysely<Database>, filter: KeyFilter): Promise<string[] | null> {
  const { affiliationCode, provinceName, districtName } = filter
  if (affiliationCode === '' && provinceName === '' && districtName === '') return null
  let query = db.selectFrom('key_cells').select('id')
  if (affiliationCode !== '') query = query.where('affiliation_code', '=', affiliationCode)
  if (provinceName !== '') query = query.where('province_name', '=', provinceName)
  if (districtName !== '') query = query.where('district_name', '=', districtName)
  return (await query.execute()).map(({ id }) => id)
}

async function usersOf(db: Kysely<Database>, filter: KeyFilter): Promise<string[] | null> {
  const { requesterName, phoneNumber } = filter
  if (requesterName === '' && phoneNumber === '') return null
  let query = db.selectFrom('users as u').select('u.id')
  if (requesterName !== '') query = query.where((eb) => contains(eb.ref('u.name'), requesterName))
  if (phoneNumber !== '') query = query.where((eb) => contains(eb.ref('u.phone_number'), phoneNumber))
  // Those who have keys: of the others there is nothing to find.
  query = query.where(sql<boolean>`exists (select from key_user_months m where m.user_id = u.id)`)
  return (await query.execute()).map(({ id }) => id)
}

/** The condition of a slice's places and people, on a table that has cell_id and, when people are named, user_id. */
export function within({ cells, users }: Slice) {
  const parts = [
    ...(cells === null ? [] : [sql<boolean>`cell_id = any(${cells}::bigint[])`]),
    ...(users === null ? [] : [sql<boolean>`user_id = any(${users}::bigint[])`]),
  ]
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** The counts that a slice is summed from: those per user only when people are named, for they are many more. */
export function countsOf({ users }: Slice) {
  return users === null
    ? { days: sql.table('key_days'), months: sql.table('key_months') }
    : { days: sql.table('key_user_days'), months: sql.table('key_user_months') }
}
