import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, test } from 'vitest'
import { login } from '../../../../contract/account.ts'
import { checkImport, importUsers, type ImportColumn } from '../../../../contract/users/import.ts'
import { untilBlocked } from '../../../../dev/test-kit/locks.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let admin: TestUser
let hr: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  await maru.createPartner({ code: 'PT-IMPORT', affiliation: 'BEL002' })
  await maru.createPartner({ code: 'PT-ELSE', affiliation: 'BEL003' })
  await maru.createPartner({ code: 'PT-STOPPED', affiliation: 'BEL002' })
  await sql(`update partners set stopped_at = now() where code = 'PT-STOPPED'`)
  await sql(
    `insert into teams (affiliation_code, name) values ('BEL002', '부산 본부'), ('BEL003', '대전 팀')`,
  )
  await sql(`insert into teams (affiliation_code, name) values ('BEL002', '가'), ('BEL002', '가 > 나')`)
  await sql(`insert into teams (affiliation_code, name, parent_id)
    select 'BEL002', '나', id from teams where name = '가'`)
  await sql(`insert into teams (affiliation_code, name, name_en, parent_id)
    select 'BEL002', '하위 팀', 'Sub team', id from teams where name = '부산 본부'`)
  await maru.createUser({ loginId: 'taken.id', email: 'taken@example.com' })
  const gone = await maru.createUser({ loginId: 'gone.id', email: 'gone@example.com' })
  await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
})

const good = (n: number, more: Partial<Record<ImportColumn, string>> & { line?: number } = {}) => ({
  userId: `import.${n}`,
  name: `새사람${n}`,
  affiliationCode: '부산지사',
  position: '사원',
  phoneNumber: '01012345678',
  email: `import.${n}@example.com`,
  roleCode: '일반 사용자',
  partnerCode: 'pt-import',
  validFrom: '2026-01-01',
  validTo: '2087-12-31',
  ...more,
})

const thirty = (from: number) => Array.from({ length: 30 }, (_, n) => good(from + n))
const check = async (rows: ReturnType<typeof good>[], by = admin, language = 'ko') =>
  (await maru.call(checkImport, { rows }, { session: by.session, language })).data
const importing = (rows: ReturnType<typeof good>[], by = admin, managerPassword = PASSWORD) =>
  maru.call(importUsers, { rows, managerPassword }, { session: by.session })
const everything = () =>
  sql(`select (select count(*) from users)::int as users, (select count(*) from mails)::int as mails,
    (select count(*) from password_history)::int as passwords,
    (select count(*) from audit_log where action like 'user.%')::int as records`)

describe('the dry run of an import (rules/users#import-check)', () => {
  test.each<[string, Partial<Record<ImportColumn, string>>, ImportColumn, RegExp]>([
    ['no ID', { userId: '' }, 'userId', /필수/],
    ['a malformed ID', { userId: '한글아이디' }, 'userId', /4~20자/],
    ['an ID that is taken', { userId: 'Taken.ID' }, 'userId', /이미 사용 중인 아이디/],
    ['an ID like an administrator’s', { userId: 'Adm1n' }, 'userId', /관리자로 보일 수 있는/],
    ['an ID that programs misread', { userId: 'NULL' }, 'userId', /시스템에서 다른 의미로/],
    ['the ID of somebody withdrawn', { userId: 'gone.id' }, 'userId', /이미 사용 중/],
    ['an e-mail that is taken', { email: 'TAKEN@example.com' }, 'email', /이미 사용 중인 이메일/],
    ['no e-mail address', { email: 'x' }, 'email', /형식/],
    ['a phone number of 10 digits', { phoneNumber: '0101234567' }, 'phoneNumber', /11자리/],
    ['an unknown affiliation', { affiliationCode: '제주지사' }, 'affiliationCode', /목록에 없는/],
    ['an unknown role', { roleCode: '사장' }, 'roleCode', /목록에 없는/],
    ['a partner of another affiliation', { partnerCode: 'PT-ELSE' }, 'partnerCode', /이 소속의/],
    ['a stopped partner', { partnerCode: 'PT-STOPPED' }, 'partnerCode', /중지된/],
    ['a day that does not exist', { validTo: '2087-02-30' }, 'validTo', /존재하는 날짜/],
    ['an end before the start', { validTo: '2025-12-31' }, 'validTo', /빠를 수 없/],
    ['a team of another affiliation', { teamName: '대전 팀' }, 'teamName', /이 소속의 팀이 아닙니다/],
    ['a team whose path two teams have', { teamName: '가 > 나' }, 'teamName', /이 소속의 팀이 아닙니다/],
    ['a team without those above it', { teamName: '하위 팀' }, 'teamName', /본부 > 팀/],
    ['a name of 51 characters', { name: '가'.repeat(51) }, 'name', /50자/],
  ])('tells %s with row and field', async (_what, wrong, field, words) => {
    const { errors } = await check([good(1), good(2, wrong)])
    expect(errors).toEqual([{ row: 2, field, message: expect.stringMatching(words) }])
  })

  test('records access to the users whose ID or email is in the file', async () => {
    const [byId, byEmail, other] = [await maru.createUser(), await maru.createUser(), await maru.createUser()]
    await check([good(1, { userId: byId.userId }), good(2, { email: byEmail.email })])
    const [row] = await sql(
      `select act, subjects from access_log where call = '/stm/v1/chk/import' order by month desc, position desc limit 1`,
    )
    expect(row).toMatchObject({ act: 'search' })
    expect((row.subjects as string[]).toSorted()).toEqual([byId.id, byEmail.id].toSorted())
    expect(row.subjects).not.toContain(other.id)
  })

  test('reports every wrong cell in the order of the file and in the user’s language', async () => {
    const data = await check(
      [good(1, { name: '', position: '' }), good(2), good(3, { phoneNumber: 'x' })],
      admin,
      'en',
    )
    expect(data).toMatchObject({ rowCount: 3, errorCount: 3 })
    expect(data.errors.map(({ row, field }) => [row, field])).toEqual([
      [1, 'name'],
      [1, 'position'],
      [3, 'phoneNumber'],
    ])
    for (const { message } of data.errors) expect(message).toMatch(/^[\x20-\x7e]+$/)
  })

  test('says of a wrong affiliation nothing of the partner code that was left out', async () => {
    const { errors } = await check([good(1, { affiliationCode: '제주지사', partnerCode: '' })])
    expect(errors).toMatchObject([{ row: 1, field: 'affiliationCode' }])
  })

  test('names the row of the first when an ID or e-mail comes twice', async () => {
    const { errors } = await check([
      good(1),
      good(2, { userId: 'IMPORT.1' }),
      good(3, { email: 'Import.1@example.com' }),
    ])
    expect(errors).toEqual([
      { row: 2, field: 'userId', message: '1번째 사용자와 같습니다.' },
      { row: 3, field: 'email', message: '1번째 사용자와 같습니다.' },
    ])
  })

  test('names a row by its number in the spreadsheet if the file gives it', async () => {
    const { errors } = await check([good(1, { line: 3 }), good(2, { userId: 'import.1', line: 7 })])
    expect(errors).toEqual([{ row: 2, field: 'userId', message: '파일의 3행과 같습니다.' }])
  })

  test('previews the first twenty users, with names and their partner code', async () => {
    await sql(`update codes set default_partner_id = (select id from partners where code = 'PT-IMPORT')
      where code = 'BEL002'`)
    const rows = [good(1, { affiliationCode: 'BEL002', partnerCode: '' }), ...thirty(200)]
    const { preview, rowCount } = await check(rows, admin, 'en')
    expect(rowCount).toBe(31)
    expect(preview).toHaveLength(20)
    expect(preview[0]).toMatchObject({
      userId: 'import.1',
      affiliationName: 'Busan branch',
      roleName: 'Ordinary user',
      partnerCode: 'PT-IMPORT',
    })
    await sql(`update codes set default_partner_id = null where code = 'BEL002'`)
  })

  test('refuses 관리자 by name or code to 인사 관리자, but not to 관리자', async () => {
    for (const roleCode of ['관리자', 'AUT001', 'Administrator']) {
      const rows = [good(1, { roleCode })]
      expect((await check(rows, hr)).errors).toMatchObject([{ row: 1, field: 'roleCode' }])
      expect((await check(rows)).errors).toEqual([])
    }
  })

  test('writes nothing', async () => {
    const before = await everything()
    await check([good(1), good(2, { name: '' })])
    expect(await everything()).toEqual(before)
  })

  test('refuses an empty file and more than 10,000 rows', async () => {
    for (const rows of [[], Array.from({ length: 10_001 }, (_, n) => good(n))]) {
      const answer = await maru.call(checkImport, { rows }, admin)
      expect(answer).toMatchObject({ code: 'INPUT_INVALID', field: 'rows' })
    }
  })
})

describe('the import (rules/users#import)', () => {
  test('puts users into teams by their paths in either language (rules/teams#membership)', async () => {
    const rows = [
      good(901, { teamName: '부산 본부 > 하위 팀' }),
      good(902, { teamName: '부산 본부 > SUB TEAM' }),
      good(903),
    ]
    expect((await check(rows)).errors).toEqual([])
    expect((await check(rows)).preview.map(({ teamName }) => teamName)).toContain('부산 본부 > 하위 팀')
    expect((await importing(rows)).status).toBe(200)
    // Other tests count the mails in the queue.
    await expect.poll(async () => (await everything())[0].mails).toBe(0)
    const members = await sql(
      `select u.login_id, team_path(m.team_id, false) as team, m.is_main from user_teams m join users u on u.id = m.user_id
       where u.login_id like 'import.90_' order by 1`,
    )
    expect(members).toEqual(
      ['import.901', 'import.902'].map((login_id) => ({
        login_id,
        team: '부산 본부 > 하위 팀',
        is_main: true,
      })),
    )
  })

  test('registers nobody with a wrong manager password, which counts for the lock', async () => {
    const before = await everything()
    const person = await maru.createUser({ role: 'hr' })
    expect((await importing([good(1)], person, 'wrong-Maru-2026!')).code).toBe('PASSWORD_WRONG')
    expect(await sql('select failures from login_failures where login_id = $1', [person.userId])).toEqual([
      { failures: 1 },
    ])
    expect((await everything())[0].users).toBe(before[0].users + 1)
  })

  test('registers, mails and records nothing when one row is wrong', async () => {
    const before = await everything()
    expect((await importing([good(1), good(2, { name: '' })])).code).toBe('IMPORT_INVALID')
    expect((await importing([good(1, { roleCode: '관리자' })], hr)).code).toBe('IMPORT_INVALID')
    expect(await everything()).toEqual(before)
  })

  test('creates approved accounts with one record and mail each and no usable password', async () => {
    const before = await everything()
    const answer = await importing(
      [good(11), good(12, { roleCode: '인사 관리자', email: 'Capital@Example.com' })],
      hr,
    )
    expect(answer.data).toEqual({ rowCount: 2 })
    expect(
      await sql(`select login_id, name, email, role_code, approval_code, affiliation_code, valid_from::text as f,
        valid_to::text as t, (select code from partners p where p.id = partner_id) as partner
        from users where login_id like 'import.1_' order by login_id`),
    ).toEqual([
      {
        login_id: 'import.11',
        name: '새사람11',
        email: 'import.11@example.com',
        role_code: 'AUT003',
        approval_code: 'MEMAP001',
        affiliation_code: 'BEL002',
        f: '2026-01-01',
        t: '2087-12-31',
        partner: 'PT-IMPORT',
      },
      expect.objectContaining({ login_id: 'import.12', email: 'capital@example.com', role_code: 'AUT002' }),
    ])
    const [record] = await sql(
      `select actor_id, detail from audit_log where action = 'user.import' order by id desc limit 1`,
    )
    expect(record).toEqual({
      actor_id: hr.id,
      detail: {
        rows: 2,
        users: [
          { id: expect.stringMatching(/^\d+$/), loginId: 'import.11', roleCode: 'AUT003' },
          { id: expect.stringMatching(/^\d+$/), loginId: 'import.12', roleCode: 'AUT002' },
        ],
      },
    })
    expect((await everything())[0].records).toBe(before[0].records + 1)
    for (const password of ['', PASSWORD, 'import.11']) {
      const answerOf = await maru.callRaw(login.path, { userId: 'import.11', password })
      expect(answerOf.status).toBe(400)
    }
  })

  test('mails the ID and an invitation to make a password', async () => {
    await importing([good(21)])
    const outbox = join(maru.dataDir, 'outbox')
    const mailed = async () => {
      for (const file of await readdir(outbox).catch(() => [])) {
        const mail = await PostalMime.parse(await readFile(join(outbox, file)))
        if (mail.to?.[0]?.address === 'import.21@example.com') return mail.text
      }
      return undefined
    }
    await expect.poll(mailed).toContain('import.21 계정이 등록되었습니다')
    expect(await mailed()).toContain('7일 안에 비밀번호를 만들면')
  })

  test('registers no user in a deadlock with another transaction', async () => {
    const client = await maru.owner.connect()
    const add = (n: number) =>
      client.query(
        `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
         values ('import.' || $1::int, '-', 'x', 'x', '01012345678', 'import.' || $1::int || '@example.com', 'BEL001', 'AUT003', 'MEMAP001')`,
        [n],
      )
    await client.query(`begin; set local deadlock_timeout = '30s'`)
    await add(72)
    const call = importing([good(71), good(72)])
    await untilBlocked(client)
    await add(71)
    expect((await call).code).toBe('IMPORT_INVALID')
    await client.query('rollback')
    client.release()
    expect(await sql(`select from users where login_id in ('import.71', 'import.72')`)).toEqual([])
  })

  test('registers no user if it loses a race for an ID', async () => {
    const [one, two] = await Promise.all([importing(thirty(100)), importing(thirty(129))])
    const codes = [one.code, two.code].filter((code) => code !== undefined)
    expect(codes).toEqual(['IMPORT_INVALID'])
    const [{ count }] = await sql(
      `select count(*)::int as count from users where login_id ~ '^import.1[0-9][0-9]$'`,
    )
    expect(count).toBe(30)
  })
})
