import { type Kysely, type RawBuilder, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type FoundPage, type Page, rowsByIds } from '../../db/list.ts'
import { orEmpty, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import type { AuditNames } from './telling.ts'
import { inWords } from './words.ts'

/** A kind of record with a page of its own: how what it is called now is found by its ID. */
const CALLED = sql`case split_part(l.records[1], '/', 1)
  when 'user' then (select u.login_id from users u where u.id = split_part(l.records[1], '/', 2)::bigint)
  when 'partner' then (select p.code from partners p where p.id = split_part(l.records[1], '/', 2)::bigint)
  when 'notice' then (select n.id::text from notices n where n.id = split_part(l.records[1], '/', 2)::bigint)
  end`

/** Rows of the trail with what their words need, in no order yet. */
export function auditRows(db: Kysely<Database>) {
  return db
    .selectFrom('audit_log as l')
    .leftJoin('users as a', 'a.id', 'l.actor_id')
    .select((eb) => [
      wireTime(eb.ref('l.at')).as('changedAt'),
      'l.actor_id as actorId',
      'l.records',
      orEmpty('a.login_id').as('userId'),
      orEmpty('a.name').as('name'),
      'l.address',
      'l.action',
      orEmpty('l.target').as('target'),
      'l.detail',
      sql<'user' | 'partner' | 'notice'>`split_part(l.records[1], '/', 1)`.as('kind'),
      sql<string | null>`case when cardinality(l.records) = 1 then ${CALLED} end`.as('called'),
      sql<Record<
        string,
        string
      > | null>`(select json_object_agg(p.id, p.code) from partners p where p.id::text in (
        l.detail -> 'partner_id' ->> 'before', l.detail -> 'partner_id' ->> 'after'))`.as('partners'),
    ])
}

/** A row as `auditRows` reads it. */
export type RawAuditRow = Awaited<ReturnType<ReturnType<typeof auditRows>['execute']>>[number]

/** Whose personal data a row of the trail tells: of who acted, and of whom it is about. */
export const peopleIn = ({
  actorId,
  records,
}: Pick<RawAuditRow, 'actorId' | 'records'>): (string | null)[] => [
  actorId,
  ...(records ?? []).flatMap((record) => /^user\/(\d+)$/.exec(record)?.[1] ?? []),
]

/** What codes are called, as a query of one value. */
export const namesIn = (
  language: Language,
): RawBuilder<AuditNames> => sql<AuditNames>`(select json_build_object(
  'codes', (select json_object_agg(code, ${sql.ref(`name_${language}`)}) from codes
    where group_code in (${CODE_GROUP.affiliation}, ${CODE_GROUP.approval})),
  'roles', (select json_object_agg(code, ${sql.ref(language === 'ko' ? 'group_name' : 'name_en')}) from roles)))`

const auditByIds = rowsByIds((db: Kysely<Database>) => auditRows(db), sql<string>`l.id`)

/** A page of the trail in words: what codes are called comes with the statement that finds it. */
export async function auditPage(
  call: Pick<Call, 'db' | 'language' | 'touches'>,
  found: RawBuilder<FoundPage>,
  { page, perPage }: Page,
) {
  const { db, language } = call
  const { rows: answers } = await sql<FoundPage & { names: AuditNames }>`
    select *, ${namesIn(language)} as names from (${found}) as page_found`.execute(db)
  const [answer] = answers
  call.touches([])
  if (answer === undefined || answer.ids.length === 0)
    return { totalCount: answer?.totalCount ?? 0, rows: [] }
  const first = answer.totalCount - (page - 1) * perPage
  const rows = await auditByIds(language)(db, answer.ids)
  call.touches(rows.flatMap(peopleIn).filter((id) => id !== null))
  return {
    totalCount: answer.totalCount,
    rows: rows.map((row, at) => ({
      ...inWords(row, { language, names: answer.names, isMasked: false }),
      rowNumber: first - at,
    })),
  }
}
