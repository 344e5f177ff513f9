import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportAudit, listAudit, listHistory } from '../../../contract/audit.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { stopPartner } from '../../../contract/partners.ts'
import { updateUser } from '../../../contract/users.ts'
import { importUsers } from '../../../contract/users/import.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { mergeAuditCounts } from './index.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let admin: TestUser
let hr: TestUser
let person: TestUser

/** An edit by the administrator, as the form sends it. */
const edit = (of: TestUser, change: Partial<InputOf<typeof updateUser>>) =>
  maru.call(
    updateUser,
    {
      originalUserId: of.userId,
      userId: of.userId,
      affiliationCode: 'BEL001',
      position: '과장',
      name: '김하늘',
      phoneNumber: '01098765432',
      email: of.email,
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode: 'AUDIT-1',
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001',
      ...change,
    },
    admin,
  )

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '감사관리' })
  hr = await maru.createUser({ role: 'hr' })
  person = await maru.createUser()
  await maru.createPartner({ code: 'AUDIT-1', affiliation: 'BEL001' })
  await maru.createPartner({ code: 'AUDIT-2', affiliation: 'BEL002' })
  await edit(person, {})
  await edit(person, { affiliationCode: 'BEL002', partnerCode: 'AUDIT-2', phoneNumber: '01011112222' })
})

type Filter = InputOf<typeof listAudit>
const list = async (filter: Filter = {}, language = 'ko') =>
  (await maru.call(listAudit, { perPage: 100, ...filter }, { session: admin.session, language })).data
const history = async (input: InputOf<typeof listHistory>, by = admin) =>
  (await maru.call(listHistory, input, by)).data

const exporting = (password: string) =>
  maru.call(
    exportAudit,
    { target: person.userId, format: 'csv', reason: '점검', password },
    { session: admin.session },
  )
/** Returns the user's name in each row of their history. */
const actions = async (recordId: string) =>
  (await history({ recordKind: 'user', recordId })).rows.map((row) => row.target)

/** Reads the users whom the newest row of the access log names. */
const touched = async () =>
  (await sql('select call, subjects from access_log order by month desc, position desc limit 1'))[0] as {
    call: string
    subjects: string[]
  }

describe('rows about many users (rules/audit#history)', () => {
  test('shows one user of an import in their history, and logs this user alone', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `many.${n + 10}`)
    const rows = names.map((userId, n) => ({
      userId,
      name: `여럿${n}`,
      affiliationCode: '본사',
      position: '사원',
      phoneNumber: '01012345678',
      email: `${userId}@example.com`,
      roleCode: '일반 사용자',
      partnerCode: 'AUDIT-1',
      validFrom: '2026-01-01',
      validTo: '2087-12-31',
    }))
    expect((await maru.call(importUsers, { rows, managerPassword: PASSWORD }, admin)).status).toBe(200)
    const ids = (await sql(
      `select id, login_id from users where login_id like 'many.%' order by login_id`,
    )) as {
      id: string
      login_id: string
    }[]
    const [one = expect.unreachable(), ...others] = ids
    const { rows: shown } = await history({ recordKind: 'user', recordId: one.login_id })
    expect(shown).toMatchObject([{ action: '사용자 일괄 등록', target: one.login_id }])
    const text = JSON.stringify(shown)
    expect(text).toContain(one.login_id)
    for (const { login_id } of others) expect(text).not.toContain(login_id)
    expect(await touched()).toEqual({ call: listHistory.path, subjects: [one.id] })
    // Nor after a rename: the row still has the former ID.
    await sql(`update users set login_id = 'one.renamed' where id = $1`, [one.id])
    const renamed = await history({ recordKind: 'user', recordId: 'one.renamed' }, hr)
    expect(JSON.stringify(renamed.rows.at(-1)?.changes)).toContain(one.login_id)
    expect(JSON.stringify(renamed)).not.toContain(others[0]?.login_id)
    expect(await touched()).toEqual({ call: listHistory.path, subjects: [one.id] })
    // The audit log lists the first 20, and the access log names these and who acted.
    const listed = await list({ target: 'one.renamed', action: 'user.import' })
    expect(listed.rows).toHaveLength(1)
    const logged = new Set((await touched()).subjects)
    expect(logged.size).toBe(21)
    const told = JSON.stringify(listed.rows)
    for (const { id, login_id } of ids) expect(logged.has(id), login_id).toBe(told.includes(login_id))
  })

  test('logs nobody for the history of a record that is no user', async () => {
    await sql(
      `insert into audit_log (action, actor_id, target, address, request_id, records)
         select 'partner.stop', $1, code, '', '', array['partner/' || id] from partners where code = 'AUDIT-2'`,
      [hr.id],
    )
    expect((await history({ recordKind: 'partner', recordId: 'AUDIT-2' })).rows).toHaveLength(1)
    expect((await touched()).subjects).toEqual([])
  })

  test('shows one applicant of those who were approved together', async () => {
    const [one, other] = [await maru.createUser(), await maru.createUser()]
    await sql(
      `insert into audit_log (action, actor_id, target, detail, address, request_id, records) values ('user.approve', $1, $2, $3, '', '', $4)`,
      [
        admin.id,
        `${other.userId}, ${one.userId}`,
        JSON.stringify({
          users: [other, one].map(({ id, userId }) => ({ id, loginId: userId })),
          roleCode: 'AUT003',
        }),
        [`user/${other.id}`, `user/${one.id}`],
      ],
    )
    const { rows } = await history({ recordKind: 'user', recordId: one.userId })
    expect(rows).toMatchObject([{ target: one.userId, recordKind: 'user', recordId: one.userId }])
    expect(JSON.stringify(rows)).not.toContain(other.userId)
    expect((await touched()).subjects).toEqual([one.id])
  })
})

describe('listed users without an ID (rules/audit#history)', () => {
  test('are absent from the histories of other users', async () => {
    const one = await maru.createUser()
    await sql(
      `insert into audit_log (action, target, detail, address, request_id, records) values ('user.approve', $1, $2, '', '', $3)`,
      [
        `gone.before, ${one.userId}`,
        JSON.stringify({
          users: [
            { id: null, loginId: 'gone.before' },
            { id: one.id, loginId: one.userId },
          ],
        }),
        [`user/${one.id}`],
      ],
    )
    const { rows } = await history({ recordKind: 'user', recordId: one.userId })
    expect(rows).toMatchObject([
      { target: one.userId, changes: [{ item: '사용자', before: '', after: one.userId }] },
    ])
    expect((await list({ target: one.userId })).rows[0]?.target).toBe(`gone.before, ${one.userId}`)
  })
})

describe('the audit log (rules/audit#audit-search)', () => {
  test('says who did what to whom, when and from where, with before and after in words (rules/audit#words)', async () => {
    const { rows } = await list({ target: person.userId })
    expect(rows[0]).toEqual({
      rowNumber: 2,
      changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      userId: admin.userId,
      name: '감사관리',
      address: expect.stringMatching(/^[\d.]+$/),
      action: '사용자 수정',
      target: person.userId,
      recordKind: 'user',
      recordId: person.userId,
      undoId: '',
      changes: expect.arrayContaining([
        { item: '소속', before: '본사', after: '부산지사' },
        { item: '파트너 코드', before: 'AUDIT-1', after: 'AUDIT-2' },
        { item: '전화번호', before: '010-9876-5432', after: '010-1111-2222' },
      ]),
    })
    expect(rows[0]?.changes).toHaveLength(3)
    const english = await list({ target: person.userId }, 'en')
    expect(english.rows[0]).toMatchObject({ action: 'Edited user' })
    expect(english.rows[0]?.changes.map(({ item }) => item).toSorted()).toEqual([
      'Affiliation',
      'Partner code',
      'Phone number',
    ])
  })

  test('shows nothing that has no name, and nothing secret, whatever a row holds', async () => {
    await sql(
      `insert into audit_log (action, target, detail, address, request_id) values ('setting.odd', 'x',
         '{"password_hash": {"before": "a", "after": "b"}, "session_token": "s3cret", "odd": 1, "reason": "왜", "before": null, "after": 3}', '', '')`,
    )
    const { rows } = await list({ target: 'x' })
    expect(rows[0]).toMatchObject({ name: '', action: 'setting.odd', recordKind: '' })
    expect(rows[0]?.changes).toEqual([{ item: '사유', before: '', after: '왜' }])
  })

  test('filters by period, actor, subject, action and address with the exact total', async () => {
    await sql(
      `insert into audit_log (at, action, actor_id, target, address, request_id)
       select timestamptz '2026-02-01 12:00+09' + n / 3 * interval '1 day', (array['key.issue', 'key.revoke', 'account.login'])[n % 3 + 1],
         $1, 'row ' || n, '192.0.2.' || n % 2, '' from generate_series(0, 29) n`,
      [hr.id],
    )
    // Two of one name, whose rows come in turns.
    const twins = [await maru.createUser({ name: '동명이인' }), await maru.createUser({ name: '동명이인' })]
    await sql(
      `insert into audit_log (at, action, actor_id, target, address, request_id)
       select timestamptz '2026-02-01 13:00+09' + n / 2 * interval '1 day', (array['key.issue', 'key.revoke'])[n % 3 / 2 + 1],
         ($1::bigint[])[n % 2 + 1], 'twin ' || n, '192.0.2.9', '' from generate_series(0, 19) n`,
      [twins.map(({ id }) => id)],
    )
    const all = (await sql(
      'select target, action, address, at from audit_log order by at desc, id desc',
    )) as {
      target: string
      action: string
      address: string
    }[]
    const february = { changedFrom: '2026-02-01', changedTo: '2026-02-10' }
    const cases: [Filter, (row: (typeof all)[number]) => boolean][] = [
      [{}, () => true],
      [{ ...february }, (row) => /^(row|twin) /.test(row.target)],
      [
        { changedFrom: '2026-02-03', changedTo: '2026-02-03' },
        (row) => /^(row [678]|twin [45])$/.test(row.target),
      ],
      [
        { ...february, action: 'key' },
        (row) => row.action.startsWith('key.') && /^(row|twin) /.test(row.target),
      ],
      [{ address: '192.0.2.1' }, (row) => row.address === '192.0.2.1'],
      [
        { ...february, address: '192.0.2.1', action: 'key' },
        (row) => row.address === '192.0.2.1' && row.action.startsWith('key.'),
      ],
      [{ actor: twins[0]?.userId ?? '' }, (row) => /^twin \d*[02468]$/.test(row.target)],
      [{ actor: '동명이인' }, (row) => row.target.startsWith('twin ')],
      [
        { actor: '동명이인', action: 'key.revoke', address: '192.0.2.9' },
        (row) => row.target.startsWith('twin ') && row.action === 'key.revoke',
      ],
      [{ actor: '동명이인', address: '192.0.2.1' }, () => false],
      [{ action: 'key.revoke' }, (row) => row.action === 'key.revoke'],
      [{ ...february, actor: hr.userId, address: '192.0.2.1' }, (row) => row.address === '192.0.2.1'],
      [{ target: 'row 7' }, (row) => row.target === 'row 7'],
      [{ actor: 'nobody.at.all' }, () => false],
    ]
    // Before and after what was counted is added up.
    for (const merged of [false, true]) {
      if (merged) await mergeAuditCounts(maru.database.pool)
      for (const [filter, fits] of cases) {
        const wanted = all.filter(fits).map((row) => row.target)
        const found: string[] = []
        for (let page = 1; page <= Math.ceil(wanted.length / 7) + 1; page += 1) {
          const { rows, totalCount } = await list({ ...filter, page, perPage: 7 })
          expect(totalCount, JSON.stringify(filter)).toBe(wanted.length)
          found.push(...rows.map((row) => row.target))
        }
        expect(found, JSON.stringify(filter)).toEqual(wanted)
      }
    }
    expect((await list({ actor: '감사관리', action: 'user.update' })).totalCount).toBe(2)
  })

  test('exports and logs the audit log with masked phone numbers (rules/audit#audit-export)', async () => {
    const [newest] = parse((await exporting('')).raw, { bom: true, columns: true }) as Record<
      string,
      string
    >[]
    expect(newest?.['변경 내용']).toContain('전화번호: 010-****-5432 → 010-****-2222')
    expect((await exporting(PASSWORD)).raw).toContain('010-1111-2222')
    const { rows } = await list({ action: 'audit.export' })
    expect(rows.map((row) => row.changes)).toEqual(
      ['예', '아니오'].map((unmasked) =>
        expect.arrayContaining([
          { item: '검색 조건', before: '', after: `대상 ${person.userId}` },
          { item: '개인정보 원문 포함', before: '', after: unmasked },
        ]),
      ),
    )
  })
})

test.each([
  ['everything', {}],
  ['what somebody did', { actor: '감사관리' }],
  ['what is about somebody', { target: 'own' }],
  ['what comes from an address', { address: 'own' }],
  ['one action', { action: 'user.update' }],
  ['a noun', { action: 'user' }],
  ['a period', { changedFrom: '2020-01-01', changedTo: '2099-12-31' }],
] as const)(
  'exports the same %s as the list shows, in its order (rules/audit#audit-export)',
  async (_, asked) => {
    const { rows: all } = await list()
    const filter = {
      ...asked,
      ...('target' in asked && { target: person.userId }),
      ...('address' in asked && { address: all.find(({ address }) => address !== '')?.address ?? '' }),
    }
    const { rows } = await list(filter)
    expect(rows.length).toBeGreaterThan(0)
    const { raw } = await maru.call(
      exportAudit,
      { ...filter, format: 'csv', reason: '점검' },
      { session: admin.session },
    )
    const table = parse(raw, { bom: true, from: 2 })
    expect(table.map(([at, , , , , target]) => [at, target])).toEqual(
      rows.map(({ changedAt, target }) => [changedAt, target]),
    )
  },
)

describe('the history of a record (rules/audit#history)', () => {
  test('shows the history of a reused login ID’s current user', async () => {
    const [first, second] = [await maru.createUser(), await maru.createUser()]
    await edit(first, { userId: 'was.mine' })
    await edit({ ...first, userId: 'was.mine' }, { userId: 'moved.on' })
    // As it could before an ID stayed with its account.
    await sql(`delete from login_ids where login_id = 'was.mine'`)
    await edit(second, { userId: 'was.mine' })
    expect(await actions('moved.on')).toEqual(['moved.on', 'was.mine'])
    expect(await actions('was.mine')).toEqual(['was.mine'])
    // The trail says so too, and what the record is called now.
    expect((await list({ target: 'was.mine' })).totalCount).toBe(1)
    const [, older] = (await list({ target: 'moved.on' })).rows
    expect(older).toMatchObject({ target: 'was.mine', recordId: 'moved.on' })
  })

  test('is read by those who may administer the record, and by nobody else', async () => {
    await maru.call(stopPartner, { partnerCode: 'AUDIT-1', reason: '계약 종료' }, admin)
    const partner = { recordKind: 'partner', recordId: 'AUDIT-1' } as const
    expect((await history(partner)).rows).toMatchObject([
      { action: '파트너 코드 중지', changes: [{ item: '사유', before: '', after: '계약 종료' }] },
    ])
    expect((await maru.call(listHistory, partner, hr)).code).toBe('FORBIDDEN')
    expect((await history({ recordKind: 'user', recordId: person.userId }, hr)).totalCount).toBe(2)
    // Above them: nothing is read of it, as of nobody.
    await sql(`insert into audit_log (action, target, detail, address, request_id, records)
       values ('user.update', 'admin', '{}', '', '', array['user/${admin.id}'])`)
    expect((await history({ recordKind: 'user', recordId: admin.userId })).totalCount).toBe(1)
    expect((await history({ recordKind: 'user', recordId: admin.userId }, hr)).totalCount).toBe(0)
    expect((await maru.call(listHistory, partner, person)).status).toBe(403)
  })
})
