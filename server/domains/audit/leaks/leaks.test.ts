import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createIncident,
  exportLeakPeople,
  getAccess,
  getIncident,
  type IncidentRecord,
  listAccess,
  listAudit,
  listIncidents,
  listLeakPeople,
  recordIncident,
  searchLeak,
  updateIncident,
} from '../../../../contract/audit.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { PLAIN_BASE } from '../../../../contract/envelope.ts'
import { exportUsers, getUser } from '../../../../contract/users.ts'
import { createProgram } from '../../../../contract/keys.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { programsOf } from '../../../../dev/test-kit/programs.ts'
import { findPeople } from './search.ts'

const maru = useMaru()
const { passGate } = programsOf(maru)
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows

let admin: TestUser
let people: TestUser[]

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '대응 담당' })
  people = await Promise.all(Array.from({ length: 12 }, (_, n) => maru.createUser({ name: `정보주체 ${n}` })))
})

/** Records an incident. @returns its ID */
async function incident(title = '분실한 노트북', knownAt = '2026-01-01 09:00'): Promise<string> {
  return (await maru.call(createIncident, { title, knownAt }, admin)).data.incidentId
}
const open = async (incidentId: string, by = admin) => {
  const { data, raw } = await maru.call(getIncident, { incidentId }, by)
  return data ?? expect.unreachable(raw)
}
const find = (incidentId: string, asked: Partial<InputOf<typeof searchLeak>>, by = admin) =>
  maru.call(
    searchLeak,
    {
      incidentId,
      leakOrigin: 'ACCOUNT',
      originValue: admin.userId,
      searchedFrom: '2025-01-01 00:00',
      searchedTo: '2025-12-31 00:00',
      ...asked,
    },
    by,
  )
/** Returns the values of a record, valid for its kind. */
const step = (incidentRecord: IncidentRecord, more: Partial<InputOf<typeof recordIncident>> = {}) => ({
  incidentRecord,
  happenedAt: '2026-01-04 10:00',
  deliveryMethod: '이메일',
  notifiedCount: incidentRecord === 'NOTICE' ? 1 : 0,
  remark: '사유',
  ...more,
})
const record = async (incidentId: string, values: ReturnType<typeof step>) =>
  maru.call(recordIncident, { ...values, incidentId, version: (await open(incidentId)).version }, admin)
const listed = async (incidentId: string, more = {}) =>
  (await maru.call(listLeakPeople, { incidentId, perPage: 100, ...more }, admin)).data
const idOf = (person: TestUser | undefined) => person?.id ?? expect.unreachable('a person')
/** Returns the row that the last call wrote to the access log. */
const logged = async (requestId: unknown) =>
  (
    await owner('select act, call, subjects::text[], actor, detail from access_log where request_id = $1', [
      requestId,
    ])
  )[0]

/** Returns whether two times are less than a day apart. */
const near = (a: string, b: string) =>
  Math.abs(Date.parse(`${a.replace(' ', 'T')}Z`) - Date.parse(`${b.replace(' ', 'T')}Z`)) < 86_400_000
const mails = () => owner('select id from mails order by id')

/** A row of the log that a test wrote. */
interface Row {
  at: string
  actor: string
  address: string
  request: string
  act: string
  call: string
  result: string
  detail: string
  subjects: string[]
}

/** Writes rows into past months of the log, as `access_log_append` would. */
async function fill(rows: readonly Row[]): Promise<void> {
  for (const [month, of] of Map.groupBy(
    rows.toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    ({ at }) => `${at.slice(0, 7)}-01`,
  )) {
    await owner('select access_log_open($1)', [month])
    await owner(
      `insert into access_log select $1::date, n, (r ->> 'at')::timestamp at time zone 'Asia/Seoul', r ->> 'act', r ->> 'call',
        nullif(r ->> 'actor', '')::bigint, '', r ->> 'address', r ->> 'request', r ->> 'result', r ->> 'detail',
        array(select s::bigint from jsonb_array_elements_text(r -> 'subjects') as s), '{}', ''
        from jsonb_array_elements($2::jsonb) with ordinality as rows (r, n)`,
      [month, JSON.stringify(of)],
    )
    await owner(`insert into access_log_heads values ($1, $2, now(), '')`, [month, of.length])
  }
}

describe('leak search (rules/audit#leak-search)', () => {
  test('finds what a calculation over random rows finds, for every origin', async () => {
    let seed = 11
    const pick = <T>(of: readonly T[]): T => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return of[Math.floor(seed / 65_536) % of.length] as T
    }
    const tokenName = '유출된 토큰'
    const [token] = await owner(
      `insert into program_tokens (user_id, name, token_hash, expires_at) values ($1, $2, sha256('t'), now() + interval '1 day') returning id::text`,
      [admin.id, tokenName],
    )
    const keys = [
      `token:program/${token.id}`,
      `token:program/${token.id}1`,
      `userId,token:program/${token.id}`,
    ]
    const actors = people.slice(0, 3).map(({ id }) => id)
    const rows = Array.from({ length: 900 }, (_, n): Row => {
      const act = pick(['read', 'search', 'change', 'export', 'login'])
      return {
        at: `2025-${pick(['01', '02', '03'])}-${pick(['01', '15', '28'])} ${pick(['00:00:00', '08:59:59', '09:00:00', '23:59:59'])}`,
        actor: pick([...actors, '']),
        address: pick(['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.11', '2001:db8::1']),
        request: `request ${act === 'export' ? n % 4 : n}`,
        act,
        call: pick(['/stm/v1/user', '/stm/v1/users', '/stm/v1/exp/users']),
        result: pick(['', '', 'FORBIDDEN']),
        detail: pick([...keys, 'name', '']),
        // 900000001 is no account any more.
        subjects: [...people.map(({ id }) => id), '900000001'].filter(() => pick([true, false, false])),
      }
    })
    await fill(rows)
    const period = { searchedFrom: '2025-01-15 00:00', searchedTo: '2025-03-15 09:00' }
    const isIn = ({ at }: Row) => at >= `${period.searchedFrom}:00` && at < `${period.searchedTo}:00`
    const exported = rows.find(({ act, actor }) => act === 'export' && actor !== '') as Row
    const place = rows
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .filter(({ at }) => at.slice(0, 7) === exported.at.slice(0, 7))
      .indexOf(exported)
    const [first] = people
    const origins: [Partial<InputOf<typeof searchLeak>>, (row: Row) => boolean][] = [
      [
        { originValue: first?.userId.toUpperCase() ?? '', ...period },
        (row) => isIn(row) && row.actor === first?.id,
      ],
      [
        { leakOrigin: 'ADDRESS', originValue: '192.0.2.1', ...period },
        (row) => isIn(row) && /^(::ffff:)?192\.0\.2\.1$/.test(row.address),
      ],
      [
        { leakOrigin: 'ADDRESS', originValue: '2001:DB8::1', ...period },
        (row) => isIn(row) && row.address === '2001:db8::1',
      ],
      [
        { leakOrigin: 'TOKEN', originValue: tokenName, ...period },
        (row) => isIn(row) && row.detail.split(',').includes(`token:program/${token.id}`),
      ],
      [
        {
          leakOrigin: 'EXPORT',
          originValue: `${exported.at.slice(0, 7).replace('-', '')}-${place + 1}`,
          ...period,
        },
        (row) =>
          row.act === 'export' &&
          row.request === exported.request &&
          row.actor === exported.actor &&
          near(row.at, exported.at),
      ],
    ]
    for (const [asked, isCaused] of origins) {
      const touched = new Map<string, string[]>()
      const caused = rows.filter((row) => row.result === '' && isCaused(row))
      for (const row of caused)
        for (const id of row.subjects) touched.set(id, [...(touched.get(id) ?? []), row.at])
      const id = await incident()
      const { data, code } = await find(id, asked)
      expect([code, data]).toEqual([
        undefined,
        expect.objectContaining({ personCount: touched.size, recordCount: caused.length }),
      ])
      expect(touched.size).toBeGreaterThan(3)
      const { rows: found, totalCount } = await listed(id)
      const loginIds = new Map(people.map((person) => [person.id, person.userId]))
      const wanted = [...touched].map(([person, times]) => [
        loginIds.get(person) ?? '',
        times.length,
        times.toSorted()[0],
        times.toSorted().at(-1),
      ])
      expect(totalCount).toBe(touched.size)
      expect(
        found
          .map((one) => [one.userId, one.touchCount, one.firstTouchedAt, one.lastTouchedAt])
          .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      ).toEqual(wanted.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
      expect(found.map(({ touchCount }) => touchCount)).toEqual(
        found.map(({ touchCount }) => touchCount).toSorted((a, b) => b - a),
      )
      expect(found.find(({ userId }) => userId === '')?.personState ?? 'ERASED').toBe('ERASED')
    }
  })

  test('finds what real calls recorded, also by the token of a program', async () => {
    await passGate(admin)
    const input = { programName: '조회 도구', scopes: ['audit:read' as const] }
    const { programToken } = (await maru.call(createProgram, input, admin)).data
    const [of] = people
    await maru.call(getUser, { userId: of?.userId ?? '' }, admin)
    const { data } = await maru.call(listAccess, { subject: of?.userId ?? '' }, admin)
    const answer = await maru.app.inject({
      method: 'POST',
      url: `${PLAIN_BASE}/audit/getAccess`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${programToken}` },
      payload: JSON.stringify({ accessId: data.rows[0]?.accessId }),
    })
    expect(answer.statusCode, answer.body).toBe(200)
    const id = await incident()
    const period = { searchedFrom: '2026-01-01 00:00', searchedTo: '2026-12-31 00:00' }
    const { data: found } = await find(id, {
      leakOrigin: 'TOKEN',
      originValue: '조회 도구',
      ...period,
      ...(await present()),
    })
    expect(found).toMatchObject({ recordCount: 1, personCount: 2 })
    const { rows } = await listed(id)
    expect(rows.map(({ userId }) => userId).toSorted()).toEqual([admin.userId, of?.userId ?? ''].toSorted())
    expect(rows[0]?.tasks).toEqual(['접속기록 상세 조회'])
    // The mark of the token is no filter of a search.
    const last = (await maru.call(listAccess, { action: 'getAccess' }, admin)).data.rows[0]
    const shown = (await maru.call(getAccess, { accessId: last?.accessId ?? '' }, admin)).data
    expect(shown.searchedBy).toBe('')
  })

  test('finds every row of a real export by one of its rows', async () => {
    const hr = await maru.createUser({ role: 'hr' })
    const { raw } = await maru.call(exportUsers, { format: 'csv', reason: '점검', name: '정보주체' }, hr)
    expect(raw).toContain('정보주체 0')
    await expect
      .poll(
        async () =>
          (await maru.call(listAccess, { actor: hr.userId, action: 'export' }, admin)).data.totalCount,
      )
      .toBeGreaterThan(0)
    const { data } = await maru.call(listAccess, { actor: hr.userId, action: 'export' }, admin)
    const id = await incident()
    await find(id, { leakOrigin: 'EXPORT', originValue: data.rows[0]?.accessId ?? '' })
    const { rows } = await listed(id)
    expect(rows.map(({ userId }) => userId)).toEqual(
      expect.arrayContaining(people.map(({ userId }) => userId)),
    )
  })

  test('takes wildcards and other texts as they are, and refuses what does not exist', async () => {
    const id = await incident()
    for (const originValue of ['%', '_', "' or 1=1 --", 'nobody.here', '\\'])
      for (const leakOrigin of ['ACCOUNT', 'ADDRESS', 'TOKEN', 'EXPORT'] as const)
        expect([originValue, leakOrigin, (await find(id, { leakOrigin, originValue })).code]).toEqual([
          originValue,
          leakOrigin,
          'LEAK_ORIGIN_NOT_FOUND',
        ])
    for (const originValue of ['202501-999999999', '209912-1', '202501-0', '2025-01-01'])
      expect((await find(id, { leakOrigin: 'EXPORT', originValue })).code).toBe('LEAK_ORIGIN_NOT_FOUND')
    expect((await find('999999', {})).code).toBe('INCIDENT_NOT_FOUND')
  })

  test('finds an account by a former login ID that no other account has', async () => {
    const [of] = people
    await owner(`insert into login_ids values ('former.one', $1)`, [of?.id])
    const id = await incident()
    const now = (await find(id, { originValue: of?.userId ?? '' })).data
    const former = (await find(id, { originValue: 'former.one' })).data
    expect(former.personCount).toBeGreaterThan(0)
    expect(former).toEqual({ ...now, leakSearchId: former.leakSearchId })
    expect((await open(id)).searches[1]?.originValue).toBe(of?.userId)
  })

  test('refuses a period out of order or longer than 366 days', async () => {
    const id = await incident()
    for (const [searchedFrom, searchedTo] of [
      ['2025-02-01 00:00', '2025-02-01 00:00'],
      ['2025-02-02 00:00', '2025-02-01 00:00'],
      ['1900-01-01 00:00', '2099-12-31 23:59'],
      ['2024-01-01 00:00', '2025-01-02 00:00'],
      ['2025-13-01 00:00', '2025-12-02 00:00'],
      ['', '2025-12-02 00:00'],
    ] as const)
      expect((await find(id, { searchedFrom, searchedTo })).code).toBe('INPUT_INVALID')
    expect(
      (await find(id, { searchedFrom: '2024-01-01 00:00', searchedTo: '2025-01-01 00:00' })).status,
    ).toBe(200)
  })

  test('stops after its time limit, and gives the connection back', async () => {
    const { longReads } = maru.database
    for (let n = 0; n < 3; n += 1) {
      const { tx, end } = await longReads.begin()
      const slow = {
        isCaused: sql<boolean>`pg_sleep(5) is null`,
        from: sql<Date>`timestamptz '2025-01-01'`,
        to: sql<Date>`timestamptz '2025-04-01'`,
      }
      await expect(findPeople(tx, slow, 0.1)).rejects.toMatchObject({ code: 'LEAK_SEARCH_SLOW' })
      await end()
    }
  })

  test('stores searches and people that not even the server can change or delete', async () => {
    const id = await incident()
    const { data } = await find(id, { originValue: people[0]?.userId ?? '' })
    expect(data.personCount).toBeGreaterThan(0)
    for (const change of [
      'delete from leak_people',
      'delete from leak_searches',
      'delete from incidents',
      'update leak_people set touches = 0',
      `update leak_searches set value = ''`,
      'truncate leak_people',
    ])
      await expect(maru.database.pool.query(change)).rejects.toThrow('permission denied')
  })

  test('records every search, view and page with the people whose data it showed', async () => {
    const id = await incident()
    const [of] = people
    const asked = { leakOrigin: 'ACCOUNT' as const, originValue: of?.userId ?? '' }
    const search = await find(id, asked)
    expect(await logged(search.headers['x-request-id'])).toMatchObject({
      act: 'search',
      call: searchLeak.path,
      subjects: [of?.id],
      actor: admin.userId,
    })
    const view = await maru.call(getIncident, { incidentId: id }, admin)
    expect(await logged(view.headers['x-request-id'])).toMatchObject({ act: 'read', subjects: [of?.id] })
    const page = await maru.call(listLeakPeople, { incidentId: id, perPage: 2 }, admin)
    const onPage = page.data.rows.map(({ userId }) => people.find((one) => one.userId === userId)?.id)
    const subjects = (await logged(page.headers['x-request-id'])).subjects
    expect(subjects).toHaveLength(2)
    expect(subjects).toEqual(expect.arrayContaining(onPage.filter((one) => one !== undefined)))
    const file = await maru.call(exportLeakPeople, { incidentId: id, format: 'csv', reason: '통지' }, admin)
    expect((await logged(file.headers['x-request-id'])).act).toBe('export')
    const { rows } = (await maru.call(listAudit, { action: 'leak' }, admin)).data
    expect(rows.slice(0, 3).map(({ action, target }) => [action, target])).toEqual([
      ['유출된 사람 목록 내보내기', 'leakPeople'],
      ['유출된 사람 검색', id],
      ['유출 사고 등록', id],
    ])
    expect(rows[1]?.changes).toEqual(
      expect.arrayContaining([{ item: '대상 값', before: '', after: of?.userId ?? '' }]),
    )
  })
})

/** Returns a period around the present. */
async function present() {
  const [row] = await owner(
    `select to_char(now() at time zone 'Asia/Seoul' - interval '1 day', 'YYYY-MM-DD HH24:MI') as "searchedFrom",
      to_char(now() at time zone 'Asia/Seoul' + interval '1 day', 'YYYY-MM-DD HH24:MI') as "searchedTo"`,
  )
  return row as { searchedFrom: string; searchedTo: string }
}

describe('people of an incident (rules/audit#leak-people)', () => {
  test('counts each once over all searches, and marks withdrawn, erased and removed accounts', async () => {
    const [gone, erased, stays, by] = await Promise.all(
      ['떠난 사람', '파기된 사람', '남은 사람', '접근한 계정'].map((name) => maru.createUser({ name })),
    )
    const row = (at: string, subjects: string[]): Row => ({
      at,
      actor: idOf(by),
      address: '198.51.100.7',
      request: at,
      act: 'read',
      call: '/stm/v1/user',
      result: '',
      detail: '',
      subjects,
    })
    await fill([
      row('2025-06-01 10:00:00', [idOf(gone), idOf(erased), idOf(stays), '900000002']),
      row('2025-06-02 10:00:00', [idOf(gone)]),
    ])
    await owner('update users set withdrawn_at = now() where id = any($1)', [[idOf(gone), idOf(erased)]])
    await owner('update users set erased_at = now() where id = $1', [idOf(erased)])
    const id = await incident()
    const period = { searchedFrom: '2025-06-01 00:00', searchedTo: '2025-07-01 00:00' }
    await find(id, { originValue: by?.userId ?? '', ...period })
    const second = await find(id, { leakOrigin: 'ADDRESS', originValue: '198.51.100.7', ...period })
    expect(await open(id)).toMatchObject({
      personCount: 4,
      withdrawnCount: 1,
      erasedCount: 2,
      firstTouchedAt: '2025-06-01 10:00:00',
      lastTouchedAt: '2025-06-02 10:00:00',
      tasks: ['사용자 정보 조회'],
      searches: [
        {
          leakOrigin: 'ACCOUNT',
          originValue: by?.userId,
          name: '접근한 계정',
          personCount: 4,
          recordCount: 2,
        },
        { leakOrigin: 'ADDRESS', originValue: '198.51.100.7', name: '', personCount: 4, recordCount: 2 },
      ],
    })
    const all = await listed(id)
    expect(all.rows.map(({ personState, touchCount }) => [personState, touchCount])).toEqual(
      expect.arrayContaining([
        ['WITHDRAWN', 2],
        ['ERASED', 1],
        ['PRESENT', 1],
      ]),
    )
    expect(all.totalCount).toBe(4)
    const { leakSearchId } = second.data
    expect((await listed(id, { leakSearchId })).totalCount).toBe(4)
    // A search of another incident adds nobody.
    expect((await listed(await incident(), { leakSearchId })).totalCount).toBe(0)
  })

  test('exports with masked phone numbers and emails unless the caller enters the password', async () => {
    const id = await incident()
    const [of] = people
    await find(id, { originValue: of?.userId ?? '' })
    const asked = { incidentId: id, format: 'csv' as const, reason: '통지' }
    const masked = (await maru.call(exportLeakPeople, asked, admin)).raw
    expect(masked).toContain('****')
    expect(masked).not.toContain(people[3]?.email)
    expect((await maru.call(exportLeakPeople, { ...asked, password: 'wrong' }, admin)).code).toBe(
      'PASSWORD_WRONG',
    )
    const unmasked = (await maru.call(exportLeakPeople, { ...asked, password: PASSWORD }, admin)).raw
    expect(unmasked).toContain(people[3]?.email)
  })
})

describe('incident (rules/audit#leak-incident)', () => {
  test('counts 72 hours from the time of knowledge, which is not in the future', async () => {
    const id = await incident('시계', '2026-02-27 20:30')
    expect(await open(id)).toMatchObject({
      knownAt: '2026-02-27 20:30:00',
      dueAt: '2026-03-02 20:30:00',
      incidentState: 'OPEN',
      creatorName: '대응 담당',
    })
    const future = { title: '미래', knownAt: '2099-01-01 00:00' }
    expect((await maru.call(createIncident, future, admin)).code).toBe('INCIDENT_TIME')
    const { version } = await open(id)
    const moved = { ...step('KNOWN', { happenedAt: '2099-01-01 00:00' }), incidentId: id, version }
    expect((await maru.call(recordIncident, moved, admin)).code).toBe('INCIDENT_TIME')
    const { rows } = (await maru.call(listIncidents, {}, admin)).data
    expect(rows[0]).toMatchObject({ incidentId: id, title: '시계', incidentState: 'OPEN' })
  })

  test('refuses the second of two editors, and the audit log has the text before', async () => {
    const id = await incident()
    const { version } = await open(id)
    const other = await maru.createUser({ role: 'admin' })
    const save = (notes: string, by: TestUser, of = version) =>
      maru.call(updateIncident, { incidentId: id, notes, version: of }, by)
    const answers = await Promise.all([save('먼저 쓴 경위', admin), save('먼저 쓴 경위 2', other)])
    expect(answers.map(({ code }) => code ?? 'saved').toSorted()).toEqual(['RECORD_CHANGED', 'saved'])
    await save('나중에 쓴 경위', admin, (await open(id)).version)
    const [row] = (await maru.call(listAudit, { action: 'leak.update' }, admin)).data.rows
    expect(row?.changes).toEqual([
      { item: '경위와 조치', before: expect.stringContaining('먼저 쓴 경위'), after: '나중에 쓴 경위' },
    ])
    expect(await open(id)).toMatchObject({ title: '분실한 노트북', notes: '나중에 쓴 경위', noticeDraft: '' })
  })

  test('saves both drafts as they are, and sends no mail (rules/audit#leak-drafts)', async () => {
    const id = await incident()
    const before = await mails()
    const drafts = { noticeDraft: '개인정보 유출 안내\n\n1. **항목**: <b>이름</b>\n', reportDraft: '신고\n' }
    const { version } = await open(id)
    expect((await maru.call(updateIncident, { incidentId: id, ...drafts, version }, admin)).status).toBe(200)
    expect(await open(id)).toMatchObject(drafts)
    expect(await mails()).toEqual(before)
  })

  test('closes no incident without notice and report, or the decisions against them', async () => {
    const id = await incident()
    expect((await record(id, step('CLOSED'))).code).toBe('INCIDENT_UNDECIDED')
    await record(id, step('NOTICE'))
    expect((await record(id, step('CLOSED'))).code).toBe('INCIDENT_UNDECIDED')
    await record(id, step('NO_REPORT'))
    expect((await record(id, step('CLOSED'))).status).toBe(200)
    const other = await incident()
    await record(other, step('NO_NOTICE'))
    await record(other, step('REPORT'))
    expect((await record(other, step('CLOSED'))).status).toBe(200)
  })
})

describe('records of an incident (rules/audit#leak-records)', () => {
  test('keep means, people, receipt number and the draft as it was, several of a kind', async () => {
    const id = await incident()
    const save = async (noticeDraft: string) =>
      maru.call(updateIncident, { incidentId: id, noticeDraft, version: (await open(id)).version }, admin)
    await save('첫 통지문')
    await record(
      id,
      step('NOTICE', { happenedAt: '2026-01-02 10:00', deliveryMethod: '이메일', notifiedCount: 41 }),
    )
    await save('고친 통지문')
    await record(
      id,
      step('NOTICE', { happenedAt: '2026-01-03 10:00', deliveryMethod: '서면', notifiedCount: 2 }),
    )
    await record(id, step('REPORT', { deliveryMethod: '한국인터넷진흥원 누리집', receiptNumber: 'P-1' }))
    const { incidentRecords, incidentState } = await open(id)
    expect(incidentState).toBe('REPORTED')
    const plain = { notifiedCount: 0, receiptNumber: '', recordedText: '', recorderName: '대응 담당' }
    expect(incidentRecords).toEqual(
      [
        { ...plain, incidentRecord: 'KNOWN', deliveryMethod: '', remark: '' },
        {
          ...plain,
          incidentRecord: 'NOTICE',
          notifiedCount: 41,
          deliveryMethod: '이메일',
          recordedText: '첫 통지문',
        },
        {
          ...plain,
          incidentRecord: 'NOTICE',
          notifiedCount: 2,
          deliveryMethod: '서면',
          recordedText: '고친 통지문',
        },
        {
          ...plain,
          incidentRecord: 'REPORT',
          deliveryMethod: '한국인터넷진흥원 누리집',
          receiptNumber: 'P-1',
        },
      ].map((row) => ({
        remark: '사유',
        ...row,
        happenedAt: expect.stringMatching(/^2026-01-0/),
        recordedAt: expect.stringMatching(/^20/),
      })),
    )
  })

  test('correct the time of knowledge with a reason, which moves the 72 hours', async () => {
    const id = await incident('정정', '2026-02-27 20:30')
    const moved = step('KNOWN', { happenedAt: '2026-02-20 08:00', remark: '' })
    expect((await record(id, moved)).field).toBe('remark')
    expect((await record(id, { ...moved, remark: '신고 접수 시각' })).status).toBe(200)
    const { knownAt, dueAt, incidentRecords } = await open(id)
    expect([knownAt, dueAt]).toEqual(['2026-02-20 08:00:00', '2026-02-23 08:00:00'])
    expect(incidentRecords.map(({ happenedAt, remark }) => [happenedAt, remark])).toEqual([
      ['2026-02-27 20:30:00', ''],
      ['2026-02-20 08:00:00', '신고 접수 시각'],
    ])
  })

  test('refuse a notice without means or people, a report without authority, a decision without reason', async () => {
    const id = await incident()
    for (const [refused, field] of [
      [step('NOTICE', { deliveryMethod: '' }), 'deliveryMethod'],
      [step('NOTICE', { notifiedCount: 0 }), 'notifiedCount'],
      [step('REPORT', { deliveryMethod: '' }), 'deliveryMethod'],
      [step('NO_NOTICE', { remark: '' }), 'remark'],
      [step('NO_REPORT', { remark: '' }), 'remark'],
    ] as const) {
      const answer = await record(id, refused)
      expect([answer.status, answer.field]).toEqual([400, field])
    }
    expect((await open(id)).incidentRecords).toHaveLength(1)
  })

  test('never change, and nothing changes after the incident is closed', async () => {
    const id = await incident()
    const stale = (await open(id)).version
    await record(id, step('NOTICE'))
    const late = { ...step('REPORT'), incidentId: id, version: stale }
    expect((await maru.call(recordIncident, late, admin)).code).toBe('RECORD_CHANGED')
    await record(id, step('REPORT'))
    for (const change of ['update incident_records set remark = $2', 'delete from incident_records'])
      await expect(
        maru.database.pool.query(`${change} where incident_id = $1 and ($2 = $2)`, [id, '고침']),
      ).rejects.toThrow('permission denied')
    expect((await record(id, step('CLOSED'))).status).toBe(200)
    const { version, incidentState } = await open(id)
    expect(incidentState).toBe('CLOSED')
    expect((await record(id, step('NOTICE'))).code).toBe('INCIDENT_CLOSED')
    expect((await maru.call(updateIncident, { incidentId: id, notes: '고침', version }, admin)).code).toBe(
      'INCIDENT_CLOSED',
    )
    expect((await find(id, {})).code).toBe('INCIDENT_CLOSED')
    for (const change of [
      `update incidents set notes = '고침' where id = $1`,
      `insert into incident_records (incident_id, kind, happened_at, recorded_by) select id, 'NOTICE', now(), created_by
        from incidents where id = $1`,
      `insert into leak_searches (incident_id, origin, value, searched_from, searched_to, searched_by, people, records)
        select id, 'ADDRESS', '', now(), now(), created_by, 0, 0 from incidents where id = $1`,
    ])
      await expect(maru.database.pool.query(change, [id])).rejects.toThrow('is closed')
  })

  test('refuse one of two at the same time', async () => {
    const id = await incident()
    const { version } = await open(id)
    const both = await Promise.all(
      [admin, await maru.createUser({ role: 'admin' })].map((by) =>
        maru.call(recordIncident, { ...step('NOTICE'), incidentId: id, version }, by),
      ),
    )
    expect(both.map(({ code }) => code ?? 'saved').toSorted()).toEqual(['RECORD_CHANGED', 'saved'])
    expect((await open(id)).incidentRecords).toHaveLength(2)
  })
})

describe('leak incidents (rules/audit#leak-incidents)', () => {
  test('are closed to users without the permission, and to every branch role', async () => {
    const id = await incident()
    const hr = await maru.createUser({ role: 'hr' })
    const branch = await maru.createUser()
    await owner(
      `insert into roles (code, group_name, name_en, sort_order, span) values ('AUT970', '지사', 'Branch', 9, 'branch')`,
    )
    await owner(`insert into role_functions select 'AUT970', name from functions
      where name in ('autho_user_search', 'autho_user_manage', 'autho_export_personal')`)
    await owner(`update users set role_code = 'AUT970' where id = $1`, [branch.id])
    for (const by of [hr, branch, people[0] as TestUser])
      for (const answer of [
        await maru.call(listIncidents, {}, by),
        await maru.call(getIncident, { incidentId: id }, by),
        await maru.call(createIncident, { title: '사고', knownAt: '2026-01-01 00:00' }, by),
        await maru.call(updateIncident, { incidentId: id, notes: '', version: 'A'.repeat(22) }, by),
        await maru.call(recordIncident, { ...step('CLOSED'), incidentId: id, version: 'A'.repeat(22) }, by),
        await find(id, {}, by),
        await maru.call(listLeakPeople, { incidentId: id }, by),
        await maru.call(exportLeakPeople, { incidentId: id, format: 'csv', reason: '통지' }, by),
      ])
        expect([answer.status, answer.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('can be read but not changed with the permission to search alone', async () => {
    const id = await incident()
    const reader = await maru.createUser()
    await owner(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT971', '열람', 'Reader', 9)`,
    )
    await owner(`insert into role_functions values ('AUT971', 'autho_audit_search')`)
    await owner(`update users set role_code = 'AUT971' where id = $1`, [reader.id])
    expect((await open(id, reader)).incidentId).toBe(id)
    expect((await find(id, {}, reader)).code).toBe('FORBIDDEN')
    expect(
      (await maru.call(createIncident, { title: '사고', knownAt: '2026-01-01 00:00' }, reader)).code,
    ).toBe('FORBIDDEN')
  })
})
