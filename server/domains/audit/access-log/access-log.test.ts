import { parse } from 'csv-parse/sync'
import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkPassword, login } from '../../../../contract/account.ts'
import {
  exportAccess,
  getAccess,
  listAccess,
  listAudit,
  listHistory,
  listOwnAccess,
} from '../../../../contract/audit.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { exportOwnData, getColleague, getUser, listUsers } from '../../../../contract/users.ts'
import { camelCaseNames } from '../../../db/column-names.ts'
import type { Database } from '../../../db/types.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { annotateAccess, mergeAccessCounts } from '../index.ts'

const maru = useMaru()
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows

let admin: TestUser
let hr: TestUser
let person: TestUser

type Filter = InputOf<typeof listAccess>

const list = async (filter: Filter = {}, language = 'ko') =>
  (await maru.call(listAccess, { perPage: 100, ...filter }, { session: admin.session, language })).data

const own = async (by: TestUser, page = 1) => (await maru.call(listOwnAccess, { page, perPage: 2 }, by)).data

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '기록관리' })
  hr = await maru.createUser({ role: 'hr', name: '인사담당' })
  person = await maru.createUser({ name: '정보주체' })
})

describe('the access log (rules/audit#access-search)', () => {
  test('says who did what with whose data, when and from where, in words', async () => {
    await maru.call(getUser, { userId: person.userId }, hr)
    await maru.call(listUsers, { name: '정보주체', affiliationCode: 'BEL001' }, hr)
    const { rows } = await list({ actor: hr.userId })
    const told = {
      accessId: expect.stringMatching(/^\d{6}-\d+$/),
      accessedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      userId: hr.userId,
      name: '인사담당',
      subjects: [{ userId: person.userId, name: '정보주체' }],
      subjectCount: 1,
      address: expect.stringMatching(/^[\d.]+$/),
      refusal: '',
      annotation: '',
    }
    expect(rows).toEqual([
      { rowNumber: 2, ...told, act: '검색', task: '사용자 목록 조회', searchedBy: '소속, 이름' },
      { rowNumber: 1, ...told, act: '조회', task: '사용자 정보 조회', searchedBy: '' },
    ])
    const english = await list({ actor: hr.userId, sort: 'accessedAt', order: 'ASC' }, 'en')
    expect(english.rows.map(({ act, task }) => [act, task])).toEqual([
      ['Read', 'Viewed a user'],
      ['Search', 'Searched users'],
    ])
    // The look at the log is in the log, with whom it told of.
    const [newest] = (await list({ action: 'listAccess' })).rows
    expect(newest).toMatchObject({ userId: admin.userId, act: '검색' })
    expect(newest?.subjects.map(({ userId }) => userId)).toEqual(
      expect.arrayContaining([hr.userId, person.userId]),
    )
  })

  test('tells what was refused and why, and who tried to log in as whom', async () => {
    await maru.call(getUser, { userId: person.userId }, await maru.createUser({ name: '권한없음' }))
    await maru.call(login, { loginId: person.userId, password: 'wrong-Maru-2026' })
    await maru.call(login, { loginId: 'nobody.here', password: PASSWORD })
    const refused = await list({ outcome: 'REFUSED' })
    expect(refused.rows.map(({ name, task, refusal }) => [name, task, refusal !== ''])).toEqual([
      ['', '로그인', true],
      ['', '로그인', true],
      ['권한없음', '사용자 정보 조회', true],
    ])
    expect(refused.rows.map(({ userId }) => userId).slice(0, 2)).toEqual(['nobody.here', person.userId])
    // Filter by an ID with an account and by an ID without one, as actor and as data subject.
    expect((await list({ actor: person.userId, action: 'login' })).totalCount).toBe(1)
    expect((await list({ subject: person.userId, action: 'login' })).totalCount).toBe(1)
    for (const filter of [{ actor: 'Nobody.Here' }, { subject: 'nobody.here' }])
      expect((await list(filter)).rows).toMatchObject([
        { userId: 'nobody.here', name: '', subjects: [{ userId: 'nobody.here', name: '' }], subjectCount: 1 },
      ])
  })

  test('names whom a search counts past the end, in this log and in the trail (rules/audit#counted-people)', async () => {
    const [by, of] = [await maru.createUser({ role: 'hr' }), await maru.createUser()]
    await maru.call(getUser, { userId: of.userId }, by)
    await owner(
      `insert into audit_log (action, actor_id, target, detail, address, request_id, records)
      values ('user.extend', $1, $2, '{}', '-', '-', array['user/' || $3])`,
      [by.id, of.userId, of.id],
    )
    const page = 99
    for (const [{ data, headers }, { id }] of [
      [await maru.call(listAccess, { subject: of.userId, page }, admin), of],
      [await maru.call(listAccess, { actor: by.userId, page }, admin), by],
      [await maru.call(listAudit, { actor: by.userId, page }, admin), by],
      [await maru.call(listAudit, { target: of.userId, page }, admin), of],
    ] as const) {
      expect(data.rows).toEqual([])
      const [{ subjects }] = await owner('select subjects from access_log where request_id = $1', [
        headers['x-request-id'],
      ])
      expect([data.totalCount > 0, subjects.map(String)]).toEqual([true, [id]])
    }
  })

  test('filters by every field, in both orders, with the exact total on every page', async () => {
    const twins = [await maru.createUser({ name: '동명이인' }), await maru.createUser({ name: '동명이인' })]
    const ids = twins.map(({ id }) => id)
    // Three past months, filled like real ones; one more is archived in a file.
    for (const month of ['2026-02-01', '2026-03-01', '2026-04-01', '2026-01-01']) {
      await owner('select access_log_open($1)', [month])
      await owner(
        `insert into access_log select $1::date, n, ($1::date::timestamp at time zone 'Asia/Seoul') + n / 3 * interval '1 day',
           (array['read', 'search', 'export'])[n % 3 + 1], (array['/stm/v1/user', '/stm/v1/users', '/stm/v1/exp/users'])[n % 3 + 1],
           case when n % 5 > 0 then ($2::bigint[])[n % 2 + 1] end, 'tried.' || n % 2, '192.0.2.' || n % 2, 'r' || n,
           case when n % 7 = 0 then 'FORBIDDEN' else '' end, '', case when n % 4 = 0 then $3::bigint[] else $2::bigint[] end,
           case when n % 6 = 0 then array['not.one'] else '{}' end, '' from generate_series(1, 60) n`,
        [month, ids, [person.id]],
      )
      await owner(
        `insert into access_log_heads values ($1::date, 60, now(), '', case when $1::date = '2026-01-01' then now() end)`,
        [month],
      )
    }
    await owner(`insert into access_counts select (at at time zone 'Asia/Seoul')::date, act, call, result <> '', count(*)
      from access_log where month < '2026-05-01' group by 1, 2, 3, 4`)
    await owner(`delete from access_log where month = '2026-01-01'`)

    interface Row {
      id: string
      day: string
      act: string
      call: string
      actor_id: string | null
      actor: string
      address: string
      result: string
      subjects: string[]
      named: string[]
    }
    const all = (await owner(
      `select to_char(month, 'YYYYMM') || '-' || position as id, (at at time zone 'Asia/Seoul')::date::text as day, act, call, actor_id,
         actor, address, result, subjects, named from access_log where month < '2026-05-01' order by month desc, position desc`,
    )) as Row[]
    const spring = { accessedFrom: '2026-01-01', accessedTo: '2026-04-30' }
    const isTwin = (id: string | null) => id !== null && ids.includes(id)
    const cases: [Filter, (row: Row) => boolean][] = [
      [{}, () => true],
      [
        { accessedFrom: '2026-02-03', accessedTo: '2026-03-02' },
        ({ day }) => day >= '2026-02-03' && day <= '2026-03-02',
      ],
      [{ accessedFrom: '2026-03-05', accessedTo: '2026-03-05' }, ({ day }) => day === '2026-03-05'],
      [{ action: 'search' }, ({ act }) => act === 'search'],
      [{ action: 'exportUsers' }, ({ call }) => call === '/stm/v1/exp/users'],
      [{ outcome: 'REFUSED' }, ({ result }) => result !== ''],
      [{ outcome: 'DONE', action: 'read' }, ({ result, act }) => result === '' && act === 'read'],
      [{ actor: twins[0]?.userId ?? '' }, (row) => row.actor_id === ids[0]],
      [{ actor: '동명이인' }, (row) => isTwin(row.actor_id)],
      [{ actor: 'tried.1' }, (row) => row.actor_id === null && row.actor === 'tried.1'],
      [
        { actor: '동명이인', action: 'search', outcome: 'REFUSED', address: '192.0.2.1' },
        (row) =>
          isTwin(row.actor_id) && row.act === 'search' && row.result !== '' && row.address === '192.0.2.1',
      ],
      [{ subject: person.userId }, ({ subjects }) => subjects.includes(person.id)],
      [
        { subject: '동명이인', address: '192.0.2.0' },
        (row) => isTwin(row.subjects[0] ?? null) && row.address === '192.0.2.0',
      ],
      [{ subject: 'not.one' }, ({ named }) => named.length > 0],
      [{ subject: 'not.one', actor: '동명이인' }, (row) => row.named.length > 0 && isTwin(row.actor_id)],
      [{ address: '192.0.2.1' }, ({ address }) => address === '192.0.2.1'],
      [{ actor: 'nobody.at.all' }, () => false],
      [{ subject: 'nobody.at.all' }, () => false],
      // As an ordinary character.
      [{ actor: '%' }, () => false],
    ]
    // Before and after what was counted is added up, in either order.
    for (const merged of [false, true]) {
      if (merged) await mergeAccessCounts(maru.database.pool)
      for (const [given, fits] of cases) {
        const filter = { ...spring, ...given }
        const wanted = all.filter(fits).map(({ id }) => id)
        const order = merged ? 'ASC' : 'DESC'
        const found: string[] = []
        for (let page = 1; page <= Math.ceil(wanted.length / 37) + 1; page += 1) {
          const asked = { ...filter, sort: 'accessedAt', order, page, perPage: 37 } as const
          const { rows, totalCount } = await list(asked)
          expect(totalCount, JSON.stringify(filter)).toBe(wanted.length)
          found.push(...rows.map(({ accessId }) => accessId))
        }
        expect(found, JSON.stringify(filter)).toEqual(merged ? wanted.toReversed() : wanted)
      }
    }
    const { rows: days } = await maru.database.pool.query(
      `select from access_counts where day < '2026-02-01'`,
    )
    expect(days).toEqual([])
    // No existing row is missing: together with the current month, these are all rows.
    const [{ n }] = (await owner('select count(*)::int as n from access_log')) as [{ n: number }]
    expect((await list({})).totalCount).toBe(n)
  })

  test('exports the access log and records it in both logs with its reason (rules/audit#access-export)', async () => {
    const asked = { subject: 'not.one', format: 'csv', reason: '월간 점검' } as const
    const file = await maru.call(exportAccess, asked, { session: admin.session })
    expect(file.status).toBe(200)
    const rows = parse(file.raw, { bom: true, columns: true }) as Record<string, string>[]
    expect(rows).toHaveLength((await list({ subject: 'not.one' })).totalCount)
    expect(rows[0]).toMatchObject({
      수행업무: expect.stringContaining('사용자'),
      '정보주체 수': expect.stringMatching(/^\d$/),
    })
    const [kept] = (await list({ action: 'exportAccess' })).rows
    expect(kept).toMatchObject({ userId: admin.userId, act: '내보내기', searchedBy: '정보주체' })
    const { rows: trail } = (await maru.call(listAudit, { action: 'access.export' }, admin)).data
    expect(trail[0]?.changes).toEqual(
      expect.arrayContaining([
        { item: '사유', before: '', after: '월간 점검' },
        { item: '검색 조건', before: '', after: '정보주체 not.one' },
      ]),
    )
  })

  test('refuses readers without the permission and logs each attempt', async () => {
    for (const by of [hr, person]) {
      expect((await maru.call(listAccess, {}, by)).status).toBe(403)
      expect((await maru.call(getAccess, { accessId: '202602-1' }, by)).status).toBe(403)
      expect((await maru.call(exportAccess, { format: 'csv', reason: '왜' }, by)).status).toBe(403)
    }
    expect((await list({ actor: hr.userId, outcome: 'REFUSED', action: 'exportAccess' })).totalCount).toBe(1)
  })
})

describe('a row by itself (rules/audit#access-detail)', () => {
  test('names every data subject of a row and logs the read with them', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => maru.createUser({ name: '여럿중하나' })))
    await maru.call(listUsers, { name: '여럿중하나' }, hr)
    const [row] = (await list({ actor: hr.userId, subject: people[4]?.userId ?? '' })).rows
    // The user that the search filters by comes first among the few that a list shows.
    expect(row).toMatchObject({ subjectCount: 5, subjects: { length: 3, 0: { userId: people[4]?.userId } } })
    const { data } = await maru.call(getAccess, { accessId: row?.accessId ?? '' }, admin)
    expect(data.subjects.map(({ userId }) => userId).toSorted()).toEqual(
      people.map(({ userId }) => userId).toSorted(),
    )
    expect(data).toMatchObject({ task: '사용자 목록 조회', callId: expect.stringMatching(/^[\w-]{36}$/) })
    expect((await list({ action: 'getAccess' })).rows[0]).toMatchObject({
      userId: admin.userId,
      subjectCount: 6,
    })
  })

  test('refuses a row that does not exist', async () => {
    for (const accessId of ['202602-61', '203012-1', '202601-1'])
      expect((await maru.call(getAccess, { accessId }, admin)).code).toBe('ACCESS_NOT_FOUND')
    for (const accessId of ['202613-1', 'x', '', '202602-0', `202602-${'9'.repeat(13)}`])
      expect((await maru.call(getAccess, { accessId }, admin)).code).toBe('INPUT_INVALID')
  })
})

describe('rows that hold NULL for the login ID null (rules/audit#access-search)', () => {
  test('are listed, found, opened and exported under the name null', async () => {
    const [seen] = [await maru.createUser({ name: '널이다' })]
    await owner('select access_log_open($1)', ['2025-11-01'])
    await owner(
      `insert into access_log select '2025-11-01', n, timestamptz '2025-11-03 10:00+09', case n when 1 then 'login' else 'read' end,
         case n when 1 then $1 else $2 end, case n when 2 then $3::bigint end, 'null', '192.0.2.7', 'r', '', '', '{}', '{null}', ''
       from generate_series(1, 2) n`,
      [login.path, getUser.path, hr.id],
    )
    await owner(`insert into access_log_heads values ('2025-11-01', 2, now(), '')`)
    await owner(
      `insert into access_counts values ('2025-11-03', 'login', $1, false, 1), ('2025-11-03', 'read', $2, false, 1)`,
      [login.path, getUser.path],
    )
    const period = { accessedFrom: '2025-11-01', accessedTo: '2025-11-30' }
    const subjects = [{ userId: 'null', name: '' }]
    for (const filter of [period, { ...period, subject: 'null' }, { subject: 'NULL', address: '192.0.2.7' }])
      expect((await list(filter)).rows).toMatchObject([
        { accessId: '202511-2', subjects, subjectCount: 1 },
        { accessId: '202511-1', userId: 'null', subjects },
      ])
    expect((await list({ ...period, subject: 'undefined' })).totalCount).toBe(0)
    expect((await maru.call(getAccess, { accessId: '202511-1' }, admin)).data.subjects).toEqual(subjects)
    const file = await maru.call(exportAccess, { subject: 'null', format: 'csv', reason: '점검' }, admin)
    expect(parse(file.raw, { bom: true, columns: true })).toMatchObject([
      { 정보주체: 'null' },
      { 정보주체: 'null' },
    ])
    expect((await own(seen)).totalCount).toBe(0)
    await owner(`update users set login_id = 'null' where id = $1`, [seen.id])
    expect((await own(seen)).rows).toMatchObject([{ name: '인사담당', task: '사용자 정보 조회' }])
    await maru.call(checkPassword, { password: PASSWORD }, seen)
    const data = JSON.parse((await maru.call(exportOwnData, {}, seen)).raw) as { seenBy: unknown[] }
    expect(data.seenBy).toMatchObject([{ name: '인사담당', call: getUser.path }])
  })
})

const ownerDb = () =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool: maru.owner }), plugins: [camelCaseNames] })
const annotate = (which: string) => annotateAccess(ownerDb(), which, '함께 바뀐 사람까지 기록됨')

describe('rows that are marked as recorded in error (rules/audit#access-annotations)', () => {
  test('show the reason in the list, the row, the file and the own access of each person', async () => {
    const [seen, other] = [await maru.createUser(), await maru.createUser()]
    await owner('select access_log_open($1)', ['2025-10-01'])
    const counts = [[seen.id], [seen.id, other.id, hr.id], [seen.id, other.id]]
    for (const [index, ids] of counts.entries())
      await owner(
        `insert into access_log select '2025-10-01', $1, timestamptz '2025-10-03 10:00+09', 'read', $2, $3::bigint, '', '192.0.2.8', 'r', '',
           '', $4::bigint[], '{}', ''`,
        [index + 1, index === 2 ? getUser.path : listHistory.path, admin.id, ids],
      )
    await owner(`insert into access_log_heads values ('2025-10-01', 3, now(), '')`)
    expect([await annotate('histories'), await annotate('histories')]).toEqual([1, 0])
    const period = { accessedFrom: '2025-10-01', accessedTo: '2025-10-31', address: '192.0.2.8' }
    const annotations = async () => (await list(period)).rows.map(({ annotation }) => annotation)
    expect(await annotations()).toEqual(['', '함께 바뀐 사람까지 기록됨', ''])
    expect((await maru.call(getAccess, { accessId: '202510-2' }, admin)).data.annotation).toBe(
      '함께 바뀐 사람까지 기록됨',
    )
    const file = await maru.call(exportAccess, { ...period, format: 'csv', reason: '점검' }, admin)
    const rows = parse(file.raw, { bom: true, columns: true }) as Record<string, string>[]
    expect(rows.map((row) => row['잘못 기록된 이유'])).toEqual(await annotations())
    const { rows: seenBy } = (await maru.call(listOwnAccess, { perPage: 100 }, other)).data
    expect(seenBy.slice(-2).map(({ annotation }) => annotation)).toEqual(['', '함께 바뀐 사람까지 기록됨'])
    const [{ rows: trail }] = [(await maru.call(listAudit, { action: 'access.annotate' }, admin)).data]
    expect(trail).toMatchObject([
      {
        userId: '',
        target: 'histories',
        changes: expect.arrayContaining([
          { item: '사유', before: '', after: '함께 바뀐 사람까지 기록됨' },
        ]) as unknown,
      },
    ])
    expect(await annotate('202510-3')).toBe(1)
    expect((await annotations())[0]).not.toBe('')
    await expect(maru.database.pool.query(`delete from access_annotations`)).rejects.toThrow(
      'permission denied',
    )
    await expect(
      maru.database.pool.query(`insert into access_annotations values ('2025-10-01', 1, 'x')`),
    ).rejects.toThrow('permission denied')
  })
})

describe('who has looked at my data (rules/audit#own-access)', () => {
  test('names other users to the data subject, without refusals and logins', async () => {
    const [me, colleague] = [
      await maru.createUser({ name: '본인이다' }),
      await maru.createUser({ name: '동료이다' }),
    ]
    expect(await own(me)).toEqual({ totalCount: 0, rows: [] })
    await maru.call(login, { loginId: me.userId, password: PASSWORD })
    await maru.call(getUser, { userId: '' }, me)
    await maru.call(getUser, { userId: me.userId }, colleague)
    await maru.call(getColleague, { userId: me.userId }, colleague)
    await maru.call(getUser, { userId: me.userId }, hr)
    await maru.call(listUsers, { name: '본인이다' }, hr)
    const first = await own(me)
    const said = {
      accessedAt: expect.any(String),
      affiliationName: expect.any(String),
      annotation: '',
      userId: hr.userId,
    }
    expect(first).toEqual({
      totalCount: 3,
      rows: [
        { rowNumber: 3, ...said, name: '인사담당', act: '검색', task: '사용자 목록 조회' },
        { rowNumber: 2, ...said, name: '인사담당', act: '조회', task: '사용자 정보 조회' },
      ],
    })
    expect((await own(me, 2)).rows).toEqual([
      {
        rowNumber: 1,
        ...said,
        userId: colleague.userId,
        name: '동료이다',
        act: '조회',
        task: '동료 프로필 조회',
      },
    ])
    // Another name does not hide who it was.
    await owner(`update users set name = '아무개' where id = $1`, [hr.id])
    expect((await own(me)).rows[0]).toMatchObject({ name: '아무개', userId: hr.userId })
    await owner(`update users set name = '인사담당' where id = $1`, [hr.id])
    // Reading a user's name in this list does not count as access to that user's data.
    expect((await own(colleague)).totalCount).toBe(0)
    expect((await list({ subject: me.userId, action: 'listOwnAccess' })).totalCount).toBe(4)
  })
})
