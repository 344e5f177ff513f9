import { type Kysely, type RawBuilder, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type FoundPage, type Page, rowsByIds } from '../../db/list.ts'
import { nameColumn, orEmpty, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import { undoId } from '../users/index.ts'
import { MAX_LISTED } from './render-changes.ts'
import type { AuditNames } from './render-context.ts'
import { renderAuditRow } from './render.ts'

/**
 * SQL expression for the current login ID, code or number of the record of a row; null for a kind of record without a
 * page.
 */
const CURRENT_NAME = sql`case split_part(l.records[1], '/', 1)
  when 'user' then (select u.login_id from users u where u.id = split_part(l.records[1], '/', 2)::bigint)
  when 'partner' then (select p.code from partners p where p.id = split_part(l.records[1], '/', 2)::bigint)
  when 'notice' then (select n.id::text from notices n where n.id = split_part(l.records[1], '/', 2)::bigint)
  end`

/**
 * SQL expression for the records that a row shows: all of its records, but only the listed users of an import, whose
 * target does not name them.
 */
const SHOWN = sql<string[] | null>`case l.action when 'user.import' then array(
  select 'user/' || (one ->> 'id') from jsonb_array_elements(l.detail -> 'users') with ordinality as u (one, place)
  where one ->> 'id' is not null and place <= ${sql.lit(MAX_LISTED)}) else l.records end`

/**
 * Returns the query for rows `l` of the audit log, unordered, with the columns that `renderAuditRow` needs. `called` is
 * the current name of the only record of a row, else null; `shown` are the records whose data it shows.
 */
export function auditRows(db: Kysely<Database>) {
  return db
    .selectFrom('auditLog as l')
    .leftJoin('users as a', 'a.id', 'l.actorId')
    .select((eb) => [
      wireTime(eb.ref('l.at')).as('changedAt'),
      'l.actorId',
      'l.records',
      SHOWN.as('shown'),
      orEmpty('a.loginId').as('userId'),
      orEmpty('a.name').as('name'),
      'l.address',
      'l.action',
      orEmpty('l.target').as('target'),
      'l.detail',
      sql<'user' | 'partner' | 'notice'>`split_part(l.records[1], '/', 1)`.as('kind'),
      sql<string | null>`case when cardinality(l.records) = 1 then ${CURRENT_NAME} end`.as('called'),
      sql<Record<
        string,
        string
      > | null>`(select json_object_agg(p.id, p.code) from partners p where p.id::text in (
        l.detail -> 'partnerId' ->> 'before', l.detail -> 'partnerId' ->> 'after'))`.as('partners'),
    ])
}

/** A row as `auditRows` reads it. */
export type RawAuditRow = Awaited<ReturnType<ReturnType<typeof auditRows>['execute']>>[number]

/**
 * Returns users.id of the users whose personal data a row of the audit log shows: the actor and the listed users. An
 * entry is null if the row has no actor.
 */
export const peopleIn = ({ actorId, shown }: Pick<RawAuditRow, 'actorId' | 'shown'>): (string | null)[] => [
  actorId,
  ...(shown ?? []).flatMap((record) => /^user\/(\d+)$/.exec(record)?.[1] ?? []),
]

/**
 * Returns the SQL expression for the names of affiliations, approval states and roles in one language, as one JSON
 * value.
 */
export const namesIn = (
  language: Language,
): RawBuilder<AuditNames> => sql<AuditNames>`(select json_build_object(
  'codes', (select json_object_agg(code, ${sql.ref(nameColumn[language])}) from codes
    where group_code in (${CODE_GROUP.affiliation}, ${CODE_GROUP.approval})),
  'roles', (select json_object_agg(code, ${sql.ref(language === 'ko' ? 'groupName' : 'nameEn')}) from roles)))`

/** Returns the rows of the audit log with these IDs, in their order, with the ID by which the change can be undone. */
const auditByIds = rowsByIds(
  (db: Kysely<Database>) => auditRows(db).select(undoId.as('undoId')),
  sql<string>`l.id`,
)

/** Options of a page that shows the history of one record instead of the audit log. */
interface OfOneRecord {
  /** Returns a row without its details about other records. */
  narrow: (row: RawAuditRow) => RawAuditRow
  /** IDs of the users whose data the history shows: users.id. */
  touched: readonly string[]
}

/**
 * Returns a rendered page of the audit log or, with `ofOne`, of a history, with the number of all rows. Writes the
 * users whose data it shows to the access log (`touches`). One statement finds the page and reads the names of the
 * codes.
 * @param found SQL query for the page, such as that of `findAudit`
 */
export async function auditPage(
  call: Pick<Call, 'db' | 'language' | 'touches'>,
  found: RawBuilder<FoundPage>,
  { page, perPage }: Page,
  ofOne?: OfOneRecord,
) {
  const { db, language } = call
  const { rows: pages } = await sql<FoundPage & { names: AuditNames }>`
    select *, ${namesIn(language)} as names from (${found}) as page_found`.execute(db)
  const [foundPage] = pages
  call.touches(ofOne?.touched ?? [])
  if (foundPage === undefined || foundPage.ids.length === 0)
    return { totalCount: foundPage?.totalCount ?? 0, rows: [] }
  const first = foundPage.totalCount - (page - 1) * perPage
  const all = await auditByIds(language)(db, foundPage.ids)
  if (ofOne === undefined) call.touches(all.flatMap(peopleIn).filter((id) => id !== null))
  return {
    totalCount: foundPage.totalCount,
    rows: all.map((row, at) => ({
      ...renderAuditRow(ofOne?.narrow(row) ?? row, { language, names: foundPage.names, isMasked: false }),
      rowNumber: first - at,
      undoId: row.undoId,
    })),
  }
}
