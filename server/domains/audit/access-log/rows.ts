import { sql } from 'kysely'
import { catalogues } from '../../../../contract/messages/index.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import { wireTime } from '../../../db/sql.ts'
import type { Db } from '../../../db/database.ts'
import { TOKEN_MARK } from '../../../callers/bearer-tokens.ts'
import { hasLoginIdOrName } from '../find.ts'
import { accessTexts, titleAt } from './call-names.ts'

/**
 * A data subject of a row: an account (users.id) with its current login ID and name, or a login ID without an account,
 * whose `id` is null.
 */
interface Subject {
  id: string | null
  userId: string
  name: string
}

/** Maximum number of data subjects that a row shows in a list. */
export const SUBJECTS_OF_A_LIST = 3
/** Maximum number of data subjects that a row shows on its own page. */
export const SUBJECTS_OF_A_ROW = 1000

/** SQL expression for the reason why the row `l` was recorded in error; '' if it was not. */
export const annotationOfRow = sql<string>`coalesce(
  (select n.reason from access_annotations n where n.month = l.month and n.position = l.position), '')`

/**
 * Returns the query for rows of the access log as `l`, with the names of their users, unordered.
 * @param told maximum number of data subjects to return for each row; `subjectCount` is the number of all
 * @param first login ID or full name whose accounts are returned first, because the caller searched for it; '' for the
 * stored order
 */
export function accessRows(db: Db, told: number, first = '') {
  const isFirst =
    first === ''
      ? sql`false`
      : sql`s.id = any(array(select u.id from users u where ${hasLoginIdOrName(first)}))`
  return db
    .selectFrom('accessLog as l')
    .leftJoin('users as a', 'a.id', 'l.actorId')
    .select((eb) => [
      sql<string>`to_char(l.month, 'YYYYMM') || '-' || l.position`.as('accessId'),
      wireTime(eb.ref('l.at')).as('accessedAt'),
      'l.actorId',
      sql<string>`coalesce(a.login_id, l.actor)`.as('userId'),
      sql<string>`coalesce(a.name, '')`.as('name'),
      'l.act',
      'l.call',
      'l.detail',
      'l.address',
      'l.result',
      'l.requestId as callId',
      annotationOfRow.as('annotation'),
      sql<number>`cardinality(l.subjects) + cardinality(l.named)`.as('subjectCount'),
      sql<
        Subject[]
      >`(select coalesce(json_agg(json_build_object('id', p.id, 'userId', p.called, 'name', p.name) order by p.place), '[]')
        from (
          select told.id::text, coalesce(u.login_id, '') as called, coalesce(u.name, '') as name, told.place
          from (
            select s.id, row_number() over (order by ${isFirst} desc, s.at) as place
            from unnest(l.subjects) with ordinality as s (id, at) order by place limit ${told}
          ) as told left join users u on u.id = told.id
          union all
          select null, coalesce(n.called, 'null'), '', 100000000 + n.at from unnest(l.named) with ordinality as n (called, at)
          order by place limit ${told}
        ) as p)`.as('subjects'),
    ])
}

/** A row that `accessRows` returns. */
export type RawAccessRow = Awaited<ReturnType<ReturnType<typeof accessRows>['execute']>>[number]

/**
 * Returns users.id of the users whose personal data a row shows: the actor and the data subjects. An ID without an account gives
 * null.
 */
export const peopleOf = ({
  actorId,
  subjects,
}: Pick<RawAccessRow, 'actorId' | 'subjects'>): (string | null)[] => [
  actorId,
  ...subjects.map(({ id }) => id),
]

/** Returns the kind of access and the title of the call in a language; a call of an earlier release is shown by its path. */
export function renderActAndTask({ act, call }: Pick<RawAccessRow, 'act' | 'call'>, language: Language) {
  const { acts } = accessTexts[language]
  return { act: (acts as Record<string, string>)[act] ?? act, task: titleAt(call)?.[language] ?? call }
}

/**
 * Renders a row of the access log in a language (rules/audit#access-search): the call by its title, the fields that
 * were searched by, the data subjects, and the refusal as text ('' if the call was not refused).
 */
export function renderAccessRow(row: RawAccessRow, language: Language) {
  const { errors, fields } = catalogues[language] as {
    errors: Record<string, string>
    fields: Record<string, string>
  }
  const { accessId, accessedAt, userId, name, address, callId, annotation, subjectCount, subjects } = row
  return {
    accessId,
    accessedAt,
    userId,
    name,
    ...renderActAndTask(row, language),
    searchedBy: [...new Set(row.detail.split(',').map((field) => fields[field] ?? field))]
      .filter((field) => field !== '' && !field.startsWith(TOKEN_MARK))
      .join(', '),
    subjects: subjects.map((subject) => ({ userId: subject.userId, name: subject.name })),
    subjectCount,
    address,
    refusal: row.result === '' ? '' : (errors[row.result] ?? row.result),
    callId,
    annotation,
  }
}

/**
 * Returns the SQL condition for rows `l` with these IDs, and the SQL expression that sorts them in the order of the
 * IDs.
 */
export const withIds = (ids: readonly string[]) => {
  const [months, positions] = [ids.map(monthOf), ids.map(positionOf)]
  return {
    isOne: sql<boolean>`(l.month, l.position) in (select * from unnest(${months}::date[], ${positions}::bigint[]))`,
    place: sql`array_position(${ids}::text[], to_char(l.month, 'YYYYMM') || '-' || l.position)`,
  }
}

/** Returns the first day of the month of a row ID such as '202611-1234': '2026-11-01'. */
const monthOf = (accessId: string) => `${accessId.slice(0, 4)}-${accessId.slice(4, 6)}-01`
/** Returns the position in the month of a row ID such as '202611-1234': '1234'. */
const positionOf = (accessId: string) => accessId.slice(7)
