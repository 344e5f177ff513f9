import { beforeAll, describe, expect, test } from 'vitest'
import {
  FINDINGS_PER_RULE,
  getInspection,
  getInspectionRules,
  INSPECTION_RULES,
  type InspectionRule,
  listAccess,
  listAudit,
  listInspections,
  remarkFindings,
  searchMonth,
  signInspection,
  updateInspectionRules,
} from '../../../../contract/audit.ts'
import { getToDo } from '../../../../contract/home.ts'
import { listNotifications } from '../../../../contract/notifications.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { sql } from 'kysely'
import { dueMonths } from './queries.ts'
import { searchLog } from './search.ts'

const maru = useMaru()
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows

let admin: TestUser
let hr: TestUser
let people: TestUser[]

/** A row of the log, as far as a rule looks at it. */
interface Row {
  /** 'YYYY-MM-DD HH:mm' in Seoul. */
  at: string
  act?: 'login' | 'read' | 'search' | 'change' | 'export'
  by?: TestUser | string
  address?: string
  result?: string
  of?: TestUser[]
}

/** Creates a past month with these rows. */
async function fill(month: string, rows: Row[]): Promise<void> {
  await owner('select access_log_open($1)', [`${month}-01`])
  const sorted = rows.toSorted((a, b) => (a.at < b.at ? -1 : 1))
  for (const [
    index,
    { at, act = 'read', by = hr, address = '10.0.0.1', result = '', of = [] },
  ] of sorted.entries())
    await owner(
      `insert into access_log values ($1, $2, $3::timestamp at time zone 'Asia/Seoul', $4, '/stm/v1/user', $5, $6, $7, 'r', $8, '', $9, '{}', '')`,
      [
        `${month}-01`,
        index + 1,
        at,
        act,
        typeof by === 'string' ? null : by.id,
        typeof by === 'string' ? by : by.userId,
        address,
        result,
        of.map(({ id }) => id),
      ],
    )
  await owner(`insert into access_log_heads values ($1, $2, now(), '\\xabcd')`, [
    `${month}-01`,
    sorted.length,
  ])
}

const nameOf = (who: TestUser | string) => (typeof who === 'string' ? who : who.userId)

/** Calculates the findings as the rules describe them, independently of the SQL statements: row by row. */
function expected(rows: Row[], before: Row[], thresholds: Record<InspectionRule, number>) {
  const amounts = new Map<string, number>()
  const readers = new Map<string, Set<string>>()
  const add = (rule: InspectionRule, day: string, who: string, address: string, amount: number) => {
    const key = [rule, day, who, address].join(' ')
    amounts.set(key, (amounts.get(key) ?? 0) + amount)
  }
  const seen = new Set(before.map((row) => `${nameOf(row.by ?? hr)} ${row.address}`))
  const firstDays = new Map<string, string>()
  for (const row of rows.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    const { at, act = 'read', by: who = hr, address = '10.0.0.1', result = '', of = [] } = row
    const [day = '', time = ''] = at.split(' ')
    if (act === 'login') {
      if (result === '') continue
      add('failedLogins', day, nameOf(who), '', 1)
      add('failedAddresses', day, '', address, 1)
      continue
    }
    if (typeof who === 'string') continue
    if (result !== '') add('refusals', day, who.userId, '', 1)
    if (result !== '') continue
    const others = of.filter(({ id }) => id !== who.id)
    add('manyRecords', day, who.userId, '', others.length)
    if (act === 'export') add('exports', day, who.userId, '', others.length)
    if (others.length > 0) {
      const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
      if (weekday === 0 || weekday === 6 || time < '09:00' || time >= '18:00')
        add('outsideHours', day, who.userId, '', 1)
      const place = `${who.userId} ${address}`
      if (!firstDays.has(place)) firstDays.set(place, day)
      if (!seen.has(place)) add('newAddress', firstDays.get(place) ?? day, who.userId, address, 1)
    }
    if (act !== 'read') continue
    for (const { userId } of others) {
      const key = `${day} ${userId}`
      readers.set(key, (readers.get(key) ?? new Set()).add(who.userId))
    }
  }
  for (const [key, each] of readers) {
    const [day = '', who = ''] = key.split(' ')
    add('manyReaders', day, who, '', each.size)
  }
  return [...amounts]
    .filter(([key, amount]) => amount >= thresholds[key.split(' ')[0] as InspectionRule])
    .map(([key, amount]) => `${key} ${amount}`)
    .toSorted()
}

const open = async (month: string) => (await maru.call(getInspection, { month }, admin)).data
const search = (month: string) => maru.call(searchMonth, { month }, admin)
const marked = async (month: string, rule: InspectionRule) =>
  (await open(month)).findings.filter((one) => one.rule === rule)

/** Sets these thresholds and switches all other rules off. */
async function setRules(
  thresholds: Partial<Record<InspectionRule, number>>,
  hours = { hoursFrom: 9, hoursTo: 18 },
) {
  const { version } = (await maru.call(getInspectionRules, {}, admin)).data
  const rules = INSPECTION_RULES.map((rule) => ({
    rule,
    enabled: thresholds[rule] !== undefined,
    threshold: thresholds[rule] ?? 1,
  }))
  const answer = await maru.call(updateInspectionRules, { rules, ...hours, version }, admin)
  expect(answer.status).toBe(200)
}

const remark = (month: string, findingIds: string[], by = admin, words = '업무상 조회로 확인했습니다.') =>
  maru.call(remarkFindings, { month, findingIds, verdict: 'EXPLAINED', remark: words }, by)
const sign = async (month: string, findingCount: number, by = admin) =>
  maru.call(signInspection, { month, findingCount, opinion: '특이사항 없음' }, by)

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '점검자' })
  hr = await maru.createUser({ role: 'hr', name: '처리자' })
  people = await Promise.all(Array.from({ length: 4 }, (_, n) => maru.createUser({ name: `대상 ${n}` })))
})

describe('months (rules/audit#inspections)', () => {
  test('lists past months, newest first, and inspects only those, with the permission', async () => {
    await fill('2025-01', [{ at: '2025-01-05 10:00', of: people }])
    await fill('2025-02', [{ at: '2025-02-05 10:00', of: people }])
    await owner(`update access_log_heads set archived_at = now() where month = '2025-01-01'`)
    const { data } = await maru.call(listInspections, {}, admin)
    expect(data.rows).toEqual([
      expect.objectContaining({
        rowNumber: 2,
        month: '2025-02',
        inspectionState: 'DUE',
        recordCount: 1,
        signedAt: '',
      }),
      expect.objectContaining({ rowNumber: 1, month: '2025-01', inspectionState: 'ARCHIVED' }),
    ])
    expect((await search('2025-01')).code).toBe('INSPECTION_ARCHIVED')
    const [{ now }] = (await owner(`select to_char(now() at time zone 'Asia/Seoul', 'YYYY-MM') as now`)) as [
      { now: string },
    ]
    for (const month of [now, '2024-12', '2099-01']) {
      expect((await search(month)).code).toBe('INSPECTION_NOT_FOUND')
      expect((await maru.call(getInspection, { month }, admin)).code).toBe('INSPECTION_NOT_FOUND')
    }
    for (const month of ['2025-13', '2025-1', '', 'x'])
      expect((await search(month)).code).toBe('INPUT_INVALID')
    for (const by of [hr, people[0] as TestUser]) {
      expect((await maru.call(listInspections, {}, by)).status).toBe(403)
      expect((await maru.call(getInspection, { month: '2025-02' }, by)).status).toBe(403)
      expect((await maru.call(searchMonth, { month: '2025-02' }, by)).status).toBe(403)
      expect((await maru.call(getInspectionRules, {}, by)).status).toBe(403)
      expect((await remark('2025-02', ['1'], by)).status).toBe(403)
      expect((await sign('2025-02', 0, by)).status).toBe(403)
    }
    // Neither looked at nor refused, it was begun.
    expect(await open('2025-02')).toMatchObject({ inspectionState: 'DUE', findings: [], searchedAt: '' })
  })
})

describe('rules (rules/audit#inspection-rules)', () => {
  const [by, more] = ['업무 1', '업무 2']
  test('mark only what they describe, each from its threshold on', async () => {
    const doers = [await maru.createUser({ name: by }), await maru.createUser({ name: more }), hr]
    // The same rows whenever it runs.
    let seed = 7
    const pick = <T>(of: readonly T[]): T => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return of[Math.floor(seed / 65_536) % of.length] as T
    }
    const rowOn = (month: string): Row => ({
      at: `${month}-${pick(['01', '02', '06', '07', '08', '28'])} ${pick(['00:00', '08:59', '09:00', '13:30', '17:59', '18:00', '23:59'])}`,
      act: pick(['read', 'read', 'search', 'change', 'export', 'login'] as const),
      by: pick([...doers, ...doers, 'tried.id']),
      address: pick(['10.0.0.1', '10.0.0.2', '10.0.0.3', '2001:db8::1']),
      result: pick(['', '', 'FORBIDDEN']),
      of: people.concat(doers).filter(() => pick([true, false])),
    })
    const before = Array.from({ length: 6 }, () => rowOn('2025-04'))
    const rows = Array.from({ length: 250 }, () => rowOn('2025-06'))
    await fill('2025-04', before)
    await fill('2025-06', rows)
    const thresholds = {
      manyRecords: 25,
      outsideHours: 4,
      newAddress: 8,
      exports: 6,
      failedLogins: 2,
      failedAddresses: 2,
      refusals: 3,
      manyReaders: 3,
    }
    await setRules(thresholds)
    expect((await search('2025-06')).status).toBe(200)
    const { findings, rules } = await open('2025-06')
    const wanted = expected(rows, before, thresholds)
    expect(
      findings
        .map(({ rule, foundDay, userId, address, amount }) =>
          [rule, foundDay, userId, address, amount].join(' '),
        )
        .toSorted(),
    ).toEqual(wanted)
    for (const rule of INSPECTION_RULES) {
      const count = wanted.filter((key) => key.startsWith(`${rule} `)).length
      expect([rule, count > 0]).toEqual([rule, true])
      expect(rules.find((one) => one.rule === rule)).toEqual({
        rule,
        enabled: true,
        threshold: thresholds[rule],
        findingCount: count,
        comparable: true,
      })
    }
  })

  test('skips disabled rules, has no new address at first and keeps the largest findings', async () => {
    const rows = Array.from({ length: FINDINGS_PER_RULE + 5 }, (_, n): Row[] =>
      Array.from({ length: n === 50 ? 3 : 2 }, () => ({
        at: '2024-03-06 10:00',
        act: 'login',
        by: `tried.${n}`,
        result: 'LOGIN_FAILED',
      })),
    ).flat()
    await fill('2024-03', [...rows, { at: '2024-03-06 03:00', of: people, address: '192.0.2.1' }])
    await setRules({ failedLogins: 2, newAddress: 1 })
    await search('2024-03')
    const { findings, rules } = await open('2024-03')
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(['failedLogins']))
    expect(findings).toHaveLength(FINDINGS_PER_RULE)
    expect(findings[0]).toMatchObject({ userId: 'tried.50', name: '', amount: 3 })
    expect(rules.find(({ rule }) => rule === 'failedLogins')?.findingCount).toBe(FINDINGS_PER_RULE + 5)
    expect(rules.find(({ rule }) => rule === 'newAddress')).toMatchObject({
      comparable: false,
      findingCount: 0,
    })
    expect(rules.find(({ rule }) => rule === 'exports')).toMatchObject({ enabled: false })
  })

  test('is read, but not managed, with autho_audit_search alone (rules/audit#inspections)', async () => {
    await fill('2025-07', [{ at: '2025-07-05 10:00', of: people }])
    await owner(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT778', '감사 조회', 'Auditor', 778)`,
    )
    await owner(`insert into role_functions values ('AUT778', 'autho_audit_search')`)
    const auditor = await maru.createUser()
    await owner(`update users set role_code = 'AUT778' where id = $1`, [auditor.id])

    const month = { month: '2025-07' }
    expect((await maru.call(listInspections, {}, auditor)).status).toBe(200)
    expect((await maru.call(getInspection, month, auditor)).status).toBe(200)
    const { data } = await maru.call(getInspectionRules, {}, auditor)
    for (const answer of [
      await maru.call(searchMonth, month, auditor),
      await maru.call(
        remarkFindings,
        { ...month, findingIds: ['1'], verdict: 'EXPLAINED', remark: '확인' },
        auditor,
      ),
      await maru.call(signInspection, { ...month, findingCount: 0, opinion: '확인' }, auditor),
      await maru.call(updateInspectionRules, data, auditor),
    ])
      expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect((await maru.call(getInspection, month, admin)).data.inspectionState).toBe('DUE')
    expect((await maru.call(getToDo, {}, auditor)).data.inspectionCount).toBeUndefined()
    const { notifications } = (await maru.call(listNotifications, {}, auditor)).data
    expect(notifications.filter(({ kind }) => kind === 'INSPECTION')).toEqual([])
  })

  test('allows rule changes only with the permission and latest version, and logs them', async () => {
    await setRules({ exports: 3 })
    const { version, ...set } = (await maru.call(getInspectionRules, {}, admin)).data
    const change = {
      rules: [{ rule: 'exports' as const, enabled: true, threshold: 7 }],
      hoursFrom: 7,
      hoursTo: 19,
    }
    expect((await maru.call(updateInspectionRules, { ...change, version }, hr)).status).toBe(403)
    expect((await maru.call(updateInspectionRules, { ...change, version }, admin)).status).toBe(200)
    expect((await maru.call(updateInspectionRules, { ...change, version }, admin)).code).toBe(
      'RECORD_CHANGED',
    )
    const { data } = await maru.call(getInspectionRules, {}, admin)
    expect(data.rules).toEqual(
      set.rules.map((one) => (one.rule === 'exports' ? { ...one, threshold: 7 } : one)),
    )
    expect(data).toMatchObject({ hoursFrom: 7, hoursTo: 19 })
    const [kept] = (await maru.call(listAudit, { action: 'access.rules' }, admin)).data.rows
    expect(kept?.changes).toEqual(
      expect.arrayContaining([{ item: '기준: 내보내기', before: '3', after: '7' }]),
    )
    for (const wrong of [
      { hoursFrom: 19, hoursTo: 19 },
      { rules: [change.rules[0], change.rules[0]] },
      { rules: [{ rule: 'exports', enabled: true, threshold: 0 }] },
      { rules: [{ rule: 'other', enabled: true, threshold: 1 }] },
    ])
      expect(
        (
          await maru.call(
            updateInspectionRules,
            { ...change, version: data.version, ...(wrong as object) },
            admin,
          )
        ).code,
      ).toBe('INPUT_INVALID')
    expect((await maru.call(getInspectionRules, {}, admin)).data).toEqual(data)
  })
})

describe('an inspection (rules/audit#inspection)', () => {
  test('logs an inspection and keeps remarks on unchanged findings (rules/audit#inspection-remarks)', async () => {
    await fill('2025-09', [
      { at: '2025-09-03 10:00', act: 'export', of: people },
      { at: '2025-09-04 10:00', act: 'export', of: people.slice(0, 2) },
      { at: '2025-09-05 20:00', of: people, by: admin },
    ])
    await setRules({ exports: 2, outsideHours: 1 })
    expect((await search('2025-09')).data).toEqual({ findingCount: 3 })
    const first = await open('2025-09')
    expect(first).toMatchObject({
      inspectionState: 'BEGUN',
      recordCount: 3,
      chainEnd: 'abcd',
      searcherName: '점검자',
    })
    expect(first.findings[0]).toMatchObject({
      rule: 'exports',
      foundDay: '2025-09-03',
      userId: hr.userId,
      name: '처리자',
      amount: 4,
      verdict: '',
      remark: '',
    })
    const ids = first.findings.map(({ findingId }) => findingId)
    expect((await remark('2025-09', ids)).status).toBe(200)
    const judged = await open('2025-09')
    expect(judged.findings.map(({ verdict, remarkerName }) => [verdict, remarkerName])).toEqual(
      Array.from({ length: 3 }, () => ['EXPLAINED', '점검자']),
    )
    // A remark by the user who caused the finding is flagged.
    expect(judged.findings.map(({ ownRemark }) => ownRemark)).toEqual([false, false, true])

    // A higher threshold leaves out one finding; other hours find more for another, which needs a new remark.
    await setRules({ exports: 3, outsideHours: 1 }, { hoursFrom: 9, hoursTo: 21 })
    await search('2025-09')
    const again = await open('2025-09')
    expect(again.findings).toEqual([judged.findings[0]])
    await setRules({ exports: 1, outsideHours: 1 })
    await search('2025-09')
    expect((await open('2025-09')).findings.map(({ verdict }) => verdict)).toEqual(['EXPLAINED', '', ''])

    // A remark fails as a whole if one of its findings does not exist or is of another month.
    await fill('2025-10', [{ at: '2025-10-01 10:00', act: 'export', of: people }])
    await search('2025-10')
    const [other] = (await open('2025-10')).findings
    for (const id of [other?.findingId ?? '', '999999999'])
      expect((await remark('2025-09', [ids[0] ?? '', id], admin, '다른 달')).code).toBe('FINDING_NOT_FOUND')
    expect((await open('2025-09')).findings[0]?.remark).toBe('업무상 조회로 확인했습니다.')
    expect((await remark('2025-09', [ids[0] ?? ''], admin, '  ')).code).toBe('INPUT_INVALID')

    const { rows } = (await maru.call(listAccess, { actor: admin.userId, action: 'searchMonth' }, admin)).data
    const told = rows.flatMap(({ subjects }) => subjects.map(({ userId }) => userId))
    expect(told).toContain(hr.userId)
    const trail = (await maru.call(listAudit, { action: 'access.inspect' }, admin)).data.rows
    expect(trail[0]).toMatchObject({ userId: admin.userId, target: '2025-10' })
  })

  test('is not signed by a user whose own actions are findings (rules/audit#inspection-sign-off)', async () => {
    const month = '2024-06'
    const other = await maru.createUser({ role: 'admin', name: '다른 점검자' })
    await fill(month, [{ at: '2024-06-03 10:00', act: 'export', by: admin, of: people }])
    await setRules({ exports: 1 })
    await search(month)
    const { findings } = await open(month)
    await remark(
      month,
      findings.map(({ findingId }) => findingId),
    )
    expect((await sign(month, 1)).code).toBe('INSPECTION_OWN')
    expect((await open(month)).signedAt).toBe('')
    expect((await sign(month, 1, other)).status).toBe(200)

    // Others opened the data of the signer, which is no action of the signer.
    await fill(
      '2024-07',
      [hr, ...people].map((by) => ({ at: '2024-07-03 10:00', by, of: [admin] })),
    )
    await setRules({ manyReaders: 2 })
    await search('2024-07')
    const opened = (await open('2024-07')).findings
    expect(opened.map(({ userId }) => userId)).toEqual([admin.userId])
    await remark(
      '2024-07',
      opened.map(({ findingId }) => findingId),
      other,
    )
    expect((await sign('2024-07', 1)).status).toBe(200)
  })

  test('records cycle, method, follow-up and officer as they were (rules/audit#inspection-practice, rules/audit#inspection-report)', async () => {
    const month = '2024-08'
    await fill(month, [{ at: '2024-08-03 10:00', act: 'export', of: people }])
    await setRules({ exports: 1 })
    const practice = { cycleMonths: 1, inspectionMethod: '기준에 따라 찾음', followUp: '소명을 받음' }
    const save = async (more: object) => {
      const { version, rules, hoursFrom, hoursTo } = (await maru.call(getInspectionRules, {}, admin)).data
      return maru.call(updateInspectionRules, { rules, hoursFrom, hoursTo, ...more, version }, admin)
    }
    await owner(`update settings set retention = retention || '{"officerName": "강보호"}'`)
    expect((await save(practice)).status).toBe(200)
    // A caller that omits them changes nothing.
    expect((await save({})).status).toBe(200)
    expect((await maru.call(getInspectionRules, {}, admin)).data).toMatchObject(practice)
    const [change] = (await maru.call(listAudit, { action: 'access.rules' }, admin)).data.rows
    expect(change?.changes).toContainEqual({ item: '점검 방법', before: '', after: '기준에 따라 찾음' })
    for (const wrong of [{ cycleMonths: 5 }, { cycleMonths: 0 }, { inspectionMethod: '가'.repeat(1001) }])
      expect((await save(wrong)).code).toBe('INPUT_INVALID')

    await search(month)
    const { findings } = await open(month)
    await remark(
      month,
      findings.map(({ findingId }) => findingId),
    )
    expect((await sign(month, 1)).status).toBe(200)
    await save({ cycleMonths: 6, inspectionMethod: '', followUp: '' })
    await owner(`update settings set retention = retention || '{"officerName": "다음 사람"}'`)
    expect(await open(month)).toMatchObject({ ...practice, officerName: '강보호' })
    // An inspection of an earlier version has no practice.
    await owner(`insert into access_log_heads values ('2024-09-01', 1, now(), '')`)
    await owner(`insert into inspections (month, records, chain_end, rules, searcher_name, signed_at)
      values ('2024-09-01', 1, '', '{"rules": [], "hoursFrom": 8, "hoursTo": 20}', '', now())`)
    expect(await open('2024-09')).toMatchObject({ inspectionMethod: '', officerName: '' })
    await owner(`update settings set retention = retention - 'officerName'`)
    await save({ cycleMonths: 1 })
  })

  test('is due when its cycle ends (rules/audit#inspection-practice)', async () => {
    const [{ month, year }] =
      (await owner(`select to_char(date_trunc('month', now() at time zone 'Asia/Seoul')
      - interval '1 month', 'YYYY-MM') as month, to_char(now() at time zone 'Asia/Seoul', 'YYYY') as year`)) as [
        { month: string; year: string },
      ]
    await owner('insert into access_log_heads values ($1, 1, now(), $2)', [`${month}-01`, ''])
    const due = async (cycleMonths: number) => {
      await owner('update settings set inspection_rules = $1', [JSON.stringify({ cycleMonths })])
      const { rows } = await dueMonths(maru.database.db)
        .select(sql<string>`to_char(h.month, 'YYYY-MM')`.as('month'))
        .execute()
        .then((all) => ({ rows: all.map((one) => one.month) }))
      return rows.includes(month)
    }
    expect(await due(1)).toBe(true)
    // The last month is due by year only if it belongs to the past year.
    expect(await due(12)).toBe(!month.startsWith(year))
    const quarterIsOver = new Date(`${month}-15`).getUTCMonth() % 3 === 2
    expect(await due(3)).toBe(quarterIsOver)
    await owner('update settings set inspection_rules = default')
    await owner('delete from access_log_heads where month = $1', [`${month}-01`])
  })

  test('is signed when all of it is judged, and stays as it is from then on (rules/audit#inspection-sign-off)', async () => {
    const month = '2025-11'
    const leaving = await maru.createUser({ name: '떠날 사람' })
    await fill(month, [{ at: '2025-11-03 10:00', act: 'export', by: leaving, of: people }])
    await setRules({ exports: 1 })
    expect((await sign(month, 0)).code).toBe('INSPECTION_NOT_FOUND')
    await search(month)
    const { findings } = await open(month)
    const ids = findings.map(({ findingId }) => findingId)
    expect((await sign(month, 1)).code).toBe('INSPECTION_OPEN')
    await remark(month, ids)
    expect((await sign(month, 2)).code).toBe('RECORD_CHANGED')
    expect((await open(month)).signedAt).toBe('')
    expect((await sign(month, 1)).status).toBe(200)

    const signed = await open(month)
    expect(signed).toMatchObject({
      inspectionState: 'SIGNED',
      opinion: '특이사항 없음',
      signerId: admin.userId,
      signerName: '점검자',
      signedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
    })
    expect((await search(month)).code).toBe('INSPECTION_SIGNED')
    expect((await remark(month, ids)).code).toBe('INSPECTION_SIGNED')
    expect((await sign(month, 1)).code).toBe('INSPECTION_SIGNED')
    // The application role cannot change them either, even without a call.
    const serving = maru.database.pool
    for (const statement of [
      `update inspections set opinion = 'x' where month = '2025-11-01'`,
      `delete from inspections where month = '2025-11-01'`,
      `update inspection_findings set remark = 'x' where month = '2025-11-01'`,
      `update inspection_findings set month = '2025-11-01' where month = '2025-10-01'`,
      `delete from inspection_findings where month = '2025-11-01'`,
      `insert into inspection_findings (month, rule, day, login_id, name, address, amount) values ('2025-11-01', 'exports', '2025-11-01', '', '', '', 1)`,
      'alter table inspection_findings disable trigger all',
    ])
      await expect(serving.query(statement)).rejects.toThrow(/is signed|owner/)

    // The log goes into a file, people are called otherwise, rules change.
    await owner(`update users set login_id = 'gone.by.now', name = '다른 이름' where id = $1`, [leaving.id])
    await setRules({ failedLogins: 9 })
    await owner('drop table access_log_2025_11')
    await owner(`update access_log_heads set archived_at = now() where month = '2025-11-01'`)
    expect(await open(month)).toEqual(signed)
    const { rows } = (await maru.call(listInspections, { perPage: 100 }, admin)).data
    expect(rows.find((row) => row.month === month)).toMatchObject({
      inspectionState: 'SIGNED',
      findingCount: 1,
      remarkedCount: 1,
      signerName: '점검자',
    })
  })

  test('is signed with an opinion only if it has no findings', async () => {
    await fill('2025-12', [{ at: '2025-12-03 10:00', of: people }])
    await setRules({ exports: 1 })
    expect((await search('2025-12')).data).toEqual({ findingCount: 0 })
    expect(await marked('2025-12', 'exports')).toEqual([])
    expect(
      (await maru.call(signInspection, { month: '2025-12', findingCount: 0, opinion: ' ' }, admin)).code,
    ).toBe('INPUT_INVALID')
    expect((await sign('2025-12', 0)).status).toBe(200)
  })
})

describe('a month that is over (rules/audit#inspection-reminder)', () => {
  test('waits in the bell and on home of those who may inspect, until it is signed', async () => {
    const [{ month }] = (await owner(
      `select to_char(date_trunc('month', now() at time zone 'Asia/Seoul') - interval '1 month', 'YYYY-MM') as month`,
    )) as [{ month: string }]
    const waits = async (by: TestUser) => {
      const { notifications } = (await maru.call(listNotifications, {}, by)).data
      const told = notifications.filter(({ kind }) => kind === 'INSPECTION').map((one) => one.month)
      return [told.includes(month), (await maru.call(getToDo, {}, by)).data.inspectionCount]
    }
    const [, before = 0] = await waits(admin)
    await fill(month, [{ at: `${month}-05 10:00`, of: people }])
    expect(await waits(admin)).toEqual([true, Number(before) + 1])
    expect(await waits(hr)).toEqual([false, undefined])
    await setRules({ exports: 1 })
    await search(month)
    expect(await waits(admin)).toEqual([true, Number(before) + 1])
    await sign(month, 0)
    expect(await waits(admin)).toEqual([false, before])
  })
})

test('counts a row that was recorded in error as one user, and in no other count (rules/audit#access-annotations)', async () => {
  const [reader, seen] = [await maru.createUser(), await maru.createUser()]
  await fill('2024-05', [
    { at: '2024-05-02 10:00', by: reader, of: [seen, ...people] },
    { at: '2024-05-02 11:00', by: reader, of: [seen, ...people] },
  ])
  const thresholds = INSPECTION_RULES.map((rule) => ({ rule, enabled: true, threshold: 1 }))
  const set = { rules: thresholds, hoursFrom: 8, hoursTo: 20 }
  const found = async () => {
    const results = await searchLog(maru.database.db, '2024-05-01', '2', set)
    const all = results.flatMap((result) => result.found)
    return ['manyRecords', 'manyReaders'].map((rule) =>
      all.filter((one) => one.rule === rule).map(({ amount }) => amount),
    )
  }
  const size = people.length + 1
  expect(await found()).toEqual([[2 * size], Array(size).fill(1)])
  await owner(`insert into access_annotations values ('2024-05-01', 1, '오류')`)
  expect(await found()).toEqual([[size + 1], Array(size).fill(1)])
  await owner(`insert into access_annotations values ('2024-05-01', 2, '오류')`)
  expect(await found()).toEqual([[2], []])
})
