import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAuthority } from '../../../../contract/common.ts'
import { updateUser } from '../../../../contract/users.ts'
import { type ImportColumn } from '../../../../contract/users/import.ts'
import { checkUpdates, updateByImport } from '../../../../contract/users/import-update.ts'
import { untilBlocked } from '../../../../dev/test-kit/locks.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../../dev/test-kit/people.ts'
import { roundTrips } from '../../../../dev/test-kit/round-trips.ts'

/*
 * Updates of users by a file: the allowed values of a row, the notifications, and that it applies completely or not at
 * all.
 */
const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

type Row = Partial<Record<ImportColumn, string>> & { line?: number }

let admin: TestUser
let hr: TestUser
beforeAll(async () => {
  // Mails stay in their queue, where they are read.
  await maru.services.jobs.stop()
  await maru.createPartner({ code: 'HEAD-1' })
  await maru.createPartner({ code: 'HEAD-2' })
  const busan = await maru.createPartner({ code: 'BUSAN-1', affiliation: 'BEL002' })
  await sql(
    `update codes set default_partner_id = (select id from partners where code = $1) where code = 'BEL002'`,
    [busan],
  )
  await maru.createPartner({ code: 'STOPPED-1' })
  await sql(`update partners set stopped_at = now() where code = 'STOPPED-1'`)
  await sql(`update codes set closed_at = now() where code = 'BEL008'`)
})
beforeEach(async () => {
  await sql('update users set withdrawn_at = now() where withdrawn_at is null')
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
})

const check = async (rows: Row[], by = hr, language = 'ko') =>
  (await maru.call(checkUpdates, { rows }, { session: by.session, language })).data
const update = (rows: Row[], version: string, by = hr, managerPassword = PASSWORD) =>
  maru.call(updateByImport, { rows, version, managerPassword }, by)
async function checkAndUpdate(rows: Row[], by = hr) {
  const { version } = await check(rows, by)
  return update(rows, version, by)
}
async function person(user: NewUser = {}, columns: Record<string, unknown> = {}): Promise<TestUser> {
  const made = await maru.createUser(user)
  for (const [column, value] of Object.entries(columns)) {
    await sql(`update users set ${column} = $2 where id = $1`, [made.id, value])
  }
  return made
}
const partnerId = (code: string) => `(select id from partners where code = '${code}')`
const recordOf = async ({ id }: TestUser) =>
  (
    await sql(
      `select name, position, phone_number, email, affiliation_code, role_code, approval_code,
        valid_from::text, valid_to::text, (select code from partners p where p.id = partner_id) as partner
       from users where id = $1`,
      [id],
    )
  )[0]
// Mails of before are sent meanwhile: the last number says whether one was queued.
const everything = () =>
  sql(`select (select array_agg(u order by id) from users u) as users, (select last_value from mails_id_seq) as mails,
    (select count(*) from audit_log where action like 'user.%') as records, (select count(*) from sessions) as sessions,
    (select array_agg(r order by id) from approval_requests r) as requests`)
const trail = ({ userId }: TestUser) =>
  sql(
    `select action, actor_id, detail, records from audit_log where target = $1 and action like 'user.%' order by id`,
    [userId],
  )
const isAlive = async ({ session }: TestUser) =>
  (await maru.call(getAuthority, {}, { session })).status === 200

describe('the dry run of an update (rules/users#update-check)', () => {
  test('logs access to every user whose values it compares, even without a change', async () => {
    const [same, wrong] = [await person({ name: '김같음' }), await person()]
    await check([
      { userId: same.userId, name: '김같음' },
      { userId: wrong.userId, name: '가'.repeat(51) },
    ] as Row[])
    const [row] = await sql(
      `select subjects from access_log where call = '/stm/v1/chk/updates' order by month desc, position desc limit 1`,
    )
    expect((row.subjects as string[]).toSorted()).toEqual([same.id, wrong.id].toSorted())
  })

  test('counts changed and unchanged users, shows old and new values, writes nothing', async () => {
    const one = await person(
      { name: '김하나', validTo: '2087-01-01' },
      { position: '사원', phone_number: '01011112222' },
    )
    const two = await person({ name: '이둘' })
    const before = await everything()
    const data = await check([
      {
        userId: one.userId.toUpperCase(),
        name: '김하나',
        position: '과장',
        phoneNumber: '01033334444',
        affiliationCode: 'busan branch',
        roleCode: 'AUT002',
        validTo: '2088-12-31',
      },
      { userId: two.userId, name: '이둘', email: two.email.toUpperCase() },
    ])
    expect(data).toEqual({
      version: expect.stringMatching(/^[\w-]{22}$/),
      rowCount: 2,
      errorCount: 0,
      errors: [],
      userCount: 1,
      unchangedCount: 1,
      users: [
        {
          userId: one.userId,
          name: '김하나',
          cells: [
            { field: 'affiliationCode', present: '본사', wanted: '부산지사' },
            { field: 'position', present: '사원', wanted: '과장' },
            { field: 'phoneNumber', present: '01011112222', wanted: '01033334444' },
            { field: 'roleCode', present: '일반 사용자', wanted: '인사 관리자' },
            // Nobody said which: it is that affiliation's own.
            { field: 'partnerCode', present: '', wanted: 'BUSAN-1' },
            { field: 'validTo', present: '2087-01-01', wanted: '2088-12-31' },
          ],
        },
      ],
    })
    expect(await everything()).toEqual(before)
  })

  test('tells every wrong cell with row and column, and then changes nobody', async () => {
    const cases: [string, Row, ImportColumn, RegExp][] = [
      ['no ID', { userId: '' }, 'userId', /필수/],
      ['a malformed ID', { userId: '한글아이디' }, 'userId', /4~20자/],
      ['an unknown ID', { userId: 'nobody.there' }, 'userId', /등록되지 않았거나 탈퇴한/],
      ['somebody withdrawn', { userId: 'gone.one' }, 'userId', /등록되지 않았거나 탈퇴한/],
      ['a name of 51 characters', { name: '가'.repeat(51) }, 'name', /50자/],
      ['a phone number of 10 digits', { phoneNumber: '0101234567' }, 'phoneNumber', /11자리/],
      [
        'a masked phone number of somebody else',
        { phoneNumber: '010-****-9999' },
        'phoneNumber',
        /가려진 값이/,
      ],
      ['another e-mail', { email: 'other@example.com' }, 'email', /본인이 새 주소를 인증해야/],
      ['a masked e-mail of somebody else', { email: 'zz***@example.com' }, 'email', /가려진 값이/],
      ['an unknown affiliation', { affiliationCode: '제주지사' }, 'affiliationCode', /목록에 없는/],
      ['a closed affiliation', { affiliationCode: 'BEL008' }, 'affiliationCode', /종료된 소속/],
      [
        'an affiliation without a default partner',
        { affiliationCode: 'BEL003' },
        'partnerCode',
        /기본 파트너/,
      ],
      ['an unknown partner', { partnerCode: 'NONE-1' }, 'partnerCode', /이 소속의 파트너 코드가 아닙니다/],
      ['a partner of another affiliation', { partnerCode: 'BUSAN-1' }, 'partnerCode', /이 소속의/],
      [
        'the partner of the affiliation that is left',
        { affiliationCode: 'BEL002', partnerCode: 'head-1' },
        'partnerCode',
        /이전 소속의 파트너 코드입니다. 비워두면/,
      ],
      ['a stopped partner', { partnerCode: 'STOPPED-1' }, 'partnerCode', /중지된/],
      ['an unknown role', { roleCode: '사장' }, 'roleCode', /목록에 없는/],
      ['a role above the manager', { roleCode: '관리자' }, 'roleCode', /목록에 없는/],
      ['a day that does not exist', { validTo: '2087-02-30' }, 'validTo', /존재하는 날짜/],
      ['an end before the start that is there', { validTo: '2025-12-31' }, 'validTo', /빠를 수 없/],
      ['a start after the end that is there', { validFrom: '2088-01-01' }, 'validFrom', /빠를 수 없/],
    ]
    await person({ loginId: 'gone.one' }, { withdrawn_at: new Date() })
    const rows: Row[] = []
    for (const [, wrong] of cases) {
      const { userId } = await person({
        validFrom: '2026-01-01',
        validTo: '2087-12-31',
        phoneNumber: '01011112222',
      })
      rows.push({ userId, ...wrong })
    }
    await sql(`update users set partner_id = ${partnerId('HEAD-1')} where login_id = any ($1)`, [
      rows.map(({ userId }) => userId),
    ])
    const good = await person()
    rows.push({ userId: good.userId, position: '과장' })
    const before = await everything()
    const { errors, errorCount, userCount, unchangedCount, version } = await check(rows)
    expect(errors.map(({ row, field, message }) => [cases[row - 1]?.[0], field, message])).toEqual(
      cases.map(([what, , field, words]) => [what, field, expect.stringMatching(words)]),
    )
    expect([errorCount, userCount, unchangedCount]).toEqual([cases.length, 1, 0])
    expect((await update(rows, version)).code).toBe('IMPORT_INVALID')
    expect(await everything()).toEqual(before)
  })

  test('resolves an ambiguous name to the user’s own value, and not otherwise', async () => {
    await sql(`insert into roles (code, group_name, name_en, sort_order) values
      ('AUT971', 'Line', 'Line manager', 9), ('AUT972', 'line', 'Liner', 9) on conflict do nothing`)
    const [one, two] = [await person({}, { role_code: 'AUT971' }), await person()]
    const rows = [one, two].map(({ userId }) => ({ userId, roleCode: 'Line' }))
    const { errors, unchangedCount } = await check(rows)
    expect(unchangedCount).toBe(1)
    expect(errors).toEqual([
      { row: 2, field: 'roleCode', message: '같은 이름이 둘 이상 있습니다. 코드로 입력해주세요.' },
    ])
    expect((await check([{ userId: two.userId, roleCode: 'aut972' }])).users).toMatchObject([
      { cells: [{ wanted: 'line' }] },
    ])
  })

  test('names the row of the first duplicate ID, in the user’s language', async () => {
    const { userId } = await person()
    const rows = [
      { userId, name: '하나', line: 4 },
      { userId: ` ${userId.toUpperCase()} `, name: '둘', line: 9 },
    ]
    const { errors } = await check(rows, hr, 'en')
    expect(errors).toEqual([{ row: 2, field: 'userId', message: 'The same as row 4 of the file.' }])
  })

  test('reveals nothing about out-of-reach users and refuses the caller’s own account (rules/roles#reach, rules/roles#own-account)', async () => {
    const boss = await person({ role: 'admin', name: '높은이' })
    const rows = [
      { userId: boss.userId, name: 'x' },
      { userId: hr.userId, position: '대표' },
    ]
    const { errors, version, ...rest } = await check(rows)
    expect(errors).toMatchObject([
      { row: 1, field: 'userId', message: '권한 밖의 계정입니다.' },
      { row: 2, field: 'userId', message: expect.stringContaining('본인 계정') },
    ])
    expect(JSON.stringify(rest)).not.toContain('높은이')
    await sql(`update users set phone_number = '01077778888' where id = $1`, [boss.id])
    expect((await check(rows)).version).toBe(version)
  })

  test('keeps the last 관리자 (rules/roles#last-administrator)', async () => {
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT961', '부관리자', 'Deputy', 9) on conflict do nothing`,
    )
    await sql(`insert into role_functions select 'AUT961', name from functions on conflict do nothing`)
    const deputy = await person({}, { role_code: 'AUT961' })
    const second = await person({ role: 'admin', validTo: '2090-01-01' })
    const both = [admin, second].map(({ userId }) => ({ userId, roleCode: '일반 사용자' }))
    expect((await check(both, deputy)).errors).toMatchObject([
      { row: 1, field: 'roleCode', message: expect.stringContaining('마지막 관리자') },
      { row: 2, field: 'roleCode' },
    ])
    // One of them stays, but ends.
    const { errors } = await check([both[0]!], deputy)
    expect(errors).toMatchObject([{ row: 1, field: 'roleCode' }])
    const begins = [{ userId: admin.userId, validFrom: '2098-01-01' }]
    expect((await check(begins, deputy)).errors).toMatchObject([{ row: 1, field: 'validFrom' }])
    // Another one takes over in the same file.
    const heir = await person()
    const handed = [...both, { userId: heir.userId, roleCode: '관리자' }]
    expect((await check(handed, deputy)).errors).toEqual([])
    expect((await checkAndUpdate(handed, deputy)).data).toEqual({ userCount: 3 })
    expect((await recordOf(heir)).role_code).toBe('AUT001')
  })
})

describe('an update by a file (rules/users#update)', () => {
  test('leaves missing, empty, masked or unchanged values alone, even if invalid', async () => {
    const one = await person(
      { validFrom: '2026-01-01', validTo: '2087-12-31' },
      {
        phone_number: '01011112222',
        position: '사원',
        affiliation_code: 'BEL008',
        email: 'masked@example.com',
      },
    )
    await sql(`update users set partner_id = ${partnerId('STOPPED-1')} where id = $1`, [one.id])
    const row = {
      userId: one.userId,
      name: ' ',
      affiliationCode: 'BEL008',
      position: '대리',
      phoneNumber: '010-****-2222',
      email: 'ma***@example.com',
      roleCode: '',
      partnerCode: 'stopped-1',
      validFrom: '2026-01-01',
      validTo: '',
    }
    const before = await recordOf(one)
    expect((await checkAndUpdate([row])).data).toEqual({ userCount: 1 })
    expect(await recordOf(one)).toEqual({ ...before, position: '대리' })
  })

  test('logs and ends sessions exactly like a single edit', async () => {
    const [one, two, over] = [
      await person({ validTo: '2087-01-01' }, { position: '사원' }),
      await person({ validTo: '2087-01-01' }, { position: '사원' }),
      await person({ validTo: '2087-01-01' }),
    ]
    const ended = await person({ validTo: '2020-01-01' })
    const { name, phone_number: phoneNumber } = await recordOf(two)
    const card = { affiliationCode: 'BEL002', partnerCode: 'BUSAN-1', validFrom: '2026-01-01' }
    await maru.call(
      updateUser,
      {
        ...card,
        originalUserId: two.userId,
        userId: two.userId,
        name,
        position: '과장',
        phoneNumber,
        email: two.email,
        roleCode: 'AUT003',
        approvalCode: 'MEMAP001',
        validTo: '2088-12-31',
      },
      hr,
    )
    const { affiliationCode, validFrom } = card
    const rows = [
      { userId: one.userId, affiliationCode, position: '과장', validFrom, validTo: '2088-12-31' },
      { userId: ended.userId, validTo: '2088-12-31' },
      { userId: over.userId, validFrom: '2020-01-01', validTo: '2020-12-31' },
      { userId: two.userId, position: '과장' },
    ]
    expect((await checkAndUpdate(rows)).data).toEqual({ userCount: 3 })
    const [{ detail, ...record }] = await trail(one)
    expect(record).toEqual({ action: 'user.update', actor_id: hr.id, records: [`user/${one.id}`] })
    expect(detail).toEqual((await trail(two))[0].detail)
    expect(await trail(two)).toHaveLength(1)
    const { email: _one, name: _name, phone_number: _phone, ...changed } = await recordOf(one)
    expect(await recordOf(two)).toMatchObject(changed)
    // As an edit: what an account could not do before, or can no longer, ends its sessions.
    expect(await Promise.all([one, ended, over].map(isAlive))).toEqual([true, false, false])
  })

  test('decides requests for the new affiliation, and mails only those users', async () => {
    const people = [await person(), await person(), await person()]
    for (const [index, to] of ['BEL002', 'BEL003', 'BEL002'].entries()) {
      await sql(
        `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
         select id, login_id, name, email, affiliation_code, 'affiliation', $2 from users where id = $1`,
        [people[index]?.id, to],
      )
    }
    const [same, other, stays] = people
    const rows = [
      { userId: same!.userId, affiliationCode: '부산지사' },
      { userId: other!.userId, affiliationCode: '부산지사' },
      { userId: stays!.userId, position: '부장' },
    ]
    expect((await checkAndUpdate(rows)).data).toEqual({ userCount: 3 })
    const states = await sql(
      `select state, decided_by from approval_requests where user_id = any ($1) order by user_id`,
      [people.map(({ id }) => id)],
    )
    expect(states).toEqual([
      { state: 'approved', decided_by: hr.id },
      { state: 'waiting', decided_by: null },
      { state: 'waiting', decided_by: null },
    ])
    const mails = await sql('select recipient from mails where recipient = any ($1)', [
      people.map(({ email }) => email),
    ])
    expect(mails).toEqual([{ recipient: same!.email }])
  })

  test('refuses all rows after a colleague’s edit, or if the rows differ', async () => {
    const [one, two] = [await person(), await person()]
    const rows = [
      { userId: one.userId, position: '과장' },
      { userId: two.userId, position: '과장' },
    ]
    const { version } = await check(rows)
    await sql(`update users set name = '새이름' where id = $1`, [two.id])
    const before = await everything()
    expect((await update(rows, version)).code).toBe('RECORD_CHANGED')
    const fresh = await check(rows)
    expect((await update([{ ...rows[0], position: '부장' }, rows[1]!], fresh.version)).code).toBe(
      'RECORD_CHANGED',
    )
    expect(await everything()).toEqual(before)
    await sql('update users set withdrawn_at = now() where id = $1', [two.id])
    expect((await update(rows, fresh.version)).code).toBe('RECORD_CHANGED')
    expect((await recordOf(one)).position).not.toBe('과장')
  })

  test('waits for an edit under way and is refused for it', async () => {
    const one = await person()
    const rows = [{ userId: one.userId, position: '과장' }]
    const { version } = await check(rows)
    const client = await maru.database.pool.connect()
    await client.query('begin')
    await client.query(`update users set position = '이사' where id = $1`, [one.id])
    const call = update(rows, version)
    await untilBlocked(client)
    await client.query('commit')
    client.release()
    expect((await call).code).toBe('RECORD_CHANGED')
    expect((await recordOf(one)).position).toBe('이사')
  })

  test('avoids a deadlock of two users in each other’s files', async () => {
    const other = await person({ role: 'hr' })
    const [hers, his] = [
      [{ userId: other.userId, position: '과장' }],
      [{ userId: hr.userId, position: '부장' }],
    ]
    const versions = [(await check(hers, hr)).version, (await check(his, other)).version]
    const answers = await Promise.all([update(hers, versions[0]!, hr), update(his, versions[1]!, other)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('changes nothing with a wrong manager password, or if nothing would change (rules/users#manager-password)', async () => {
    const one = await person()
    const rows = [{ userId: one.userId, position: '과장' }]
    const { version } = await check(rows)
    const before = await everything()
    expect((await update(rows, version, hr, 'wrong-Maru-2026!')).code).toBe('PASSWORD_WRONG')
    expect(await sql('select failures from login_failures where login_id = $1', [hr.userId])).toEqual([
      { failures: 1 },
    ])
    const same = [{ userId: one.userId, email: one.email }]
    expect((await checkAndUpdate(same)).code).toBe('BULK_NOBODY')
    expect(await everything()).toEqual(before)
  })

  test('requires the permission to administer users', async () => {
    const one = await person()
    const rows = [{ userId: hr.userId, position: '과장' }]
    expect((await maru.call(checkUpdates, { rows }, one)).code).toBe('FORBIDDEN')
    expect((await update(rows, 'A'.repeat(22), one)).code).toBe('FORBIDDEN')
  })

  test('needs a fixed number of round trips for any number of rows, and logs each', async () => {
    await sql(
      `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code, valid_to)
       select 'upd.' || n, '-', '많은이' || n, '사원', '010' || lpad(n::text, 8, '0'), 'upd' || n || '@example.com', 'BEL001',
         'AUT003', 'MEMAP001', '2087-01-01' from generate_series(1, 2000) n`,
    )
    const rows = Array.from({ length: 2000 }, (_, n) => ({
      userId: `upd.${n + 1}`,
      name: `이름${n}`,
      affiliationCode: n % 2 === 0 ? '부산지사' : '본사',
      partnerCode: n % 2 === 0 ? '' : `HEAD-${n % 4 === 1 ? 1 : 2}`,
      roleCode: n % 3 === 0 ? '인사 관리자' : '일반 사용자',
      validTo: '2088-12-31',
    }))
    const { pool } = maru.database
    let version = ''
    const looked = await roundTrips(pool, async () => {
      version = (await check(rows)).version
    })
    const changed = await roundTrips(pool, async () => {
      expect((await update(rows, version)).data).toEqual({ userCount: 2000 })
    })
    expect([looked.length, changed.length]).toEqual([9, 21])
    expect(
      await sql(`select count(*)::int as n, count(distinct target)::int as people from audit_log
        where target like 'upd.%' and action = 'user.update'`),
    ).toEqual([{ n: 2000, people: 2000 }])
    expect(
      await sql(`select affiliation_code, (select code from partners p where p.id = partner_id) as partner, count(*)::int as n
        from users where login_id like 'upd.%' group by 1, 2 order by 1, 2`),
    ).toEqual([
      { affiliation_code: 'BEL001', partner: 'HEAD-1', n: 500 },
      { affiliation_code: 'BEL001', partner: 'HEAD-2', n: 500 },
      { affiliation_code: 'BEL002', partner: 'BUSAN-1', n: 1000 },
    ])
  })
})

/** Returns the teams of a user, the main one first. */
const teamsOf = ({ id }: TestUser) =>
  sql(
    `select team_path(team_id, false) as team, is_main from user_teams where user_id = $1 order by is_main desc, 1`,
    [id],
  )

/** Creates a member of one team with an additional one. */
async function member(): Promise<TestUser> {
  const someone = await person()
  await sql(
    `insert into user_teams select $1, id, name = '본사 팀' from teams where name in ('본사 팀', '다른 팀')`,
    [someone.id],
  )
  return someone
}

describe('the main team in a file (rules/teams#membership)', () => {
  beforeAll(async () => {
    await sql(`insert into teams (affiliation_code, name)
      values ('BEL001', '본사 팀'), ('BEL001', '다른 팀'), ('BEL002', '부산 팀')`)
  })

  test('changes it, and an additional team becomes the main one', async () => {
    const someone = await member()
    const rows = [{ userId: someone.userId, teamName: '다른 팀' }]
    expect((await check(rows)).users[0]?.cells).toEqual([
      { field: 'teamName', present: '본사 팀', wanted: '다른 팀' },
    ])
    expect((await checkAndUpdate(rows)).status).toBe(200)
    expect(await teamsOf(someone)).toEqual([{ team: '다른 팀', is_main: true }])
    expect((await trail(someone)).at(-1)?.detail).toEqual({
      teamName: { before: '본사 팀', after: '다른 팀' },
    })
  })

  test('keeps it with an empty cell or the same path', async () => {
    const someone = await member()
    for (const teamName of ['', ' 본사 팀 ']) {
      const { userCount, errors } = await check([{ userId: someone.userId, teamName }])
      expect([userCount, errors]).toEqual([0, []])
    }
  })

  test('ends it with a move, and takes one of the new affiliation only', async () => {
    const someone = await member()
    const move = { userId: someone.userId, affiliationCode: 'BEL002' }
    expect((await check([{ ...move, teamName: '본사 팀' }])).errors).toMatchObject([{ field: 'teamName' }])
    expect((await check([move])).users[0]?.cells).toContainEqual({
      field: 'teamName',
      present: '본사 팀',
      wanted: '',
    })
    expect((await checkAndUpdate([{ ...move, teamName: '부산 팀' }])).status).toBe(200)
    expect(await teamsOf(someone)).toEqual([
      { team: '부산 팀', is_main: true },
      { team: '다른 팀', is_main: false },
    ])
  })

  test('refuses the update if a team was deleted after the check', async () => {
    const someone = await member()
    await sql(`insert into teams (affiliation_code, name) values ('BEL001', '곧 없는 팀')`)
    const rows = [{ userId: someone.userId, teamName: '곧 없는 팀' }]
    const { version } = await check(rows)
    await sql(`delete from teams where name = '곧 없는 팀'`)
    expect((await update(rows, version)).code).toBe('RECORD_CHANGED')
    expect(await teamsOf(someone)).toHaveLength(2)
  })
})
