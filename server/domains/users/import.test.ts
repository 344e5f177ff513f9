import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, test } from 'vitest'
import { login } from '../../../contract/account.ts'
import { checkImport, importUsers, type ImportColumn } from '../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../test-kit/maru.ts'
import type { TestUser } from '../../test-kit/people.ts'

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
  await maru.createUser({ loginId: 'taken.id', email: 'taken@example.com' })
  const gone = await maru.createUser({ loginId: 'gone.id', email: 'gone@example.com' })
  await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
})

const good = (n: number, more: Partial<Record<ImportColumn, string>> = {}) => ({
  USER_ID: `import.${n}`,
  NAME: `새사람${n}`,
  BELONGTO_CODE: '부산지사',
  RANK: '사원',
  PHONE_NUMBER: '01012345678',
  E_MAIL: `import.${n}@example.com`,
  AUTHORITYS_CODE: '일반 사용자',
  PARTNER_CODE: 'pt-import',
  EXPIRY_DATETIME_START: '2026-01-01',
  EXPIRY_DATETIME_END: '2027-12-31',
  ...more,
})

const thirty = (from: number) => Array.from({ length: 30 }, (_, n) => good(from + n))
const check = async (rows: ReturnType<typeof good>[], by = admin, language = 'ko') =>
  (await maru.call(checkImport, { ROWS: rows }, { session: by.session, language })).data
const importing = (rows: ReturnType<typeof good>[], by = admin, MANAGER_PASSWORD = PASSWORD) =>
  maru.call(importUsers, { ROWS: rows, MANAGER_PASSWORD }, { session: by.session })
const everything = () =>
  sql(`select (select count(*) from users)::int as users, (select count(*) from mails)::int as mails,
    (select count(*) from password_history)::int as passwords,
    (select count(*) from audit_log where action like 'user.%')::int as records`)

describe('the dry run of an import (issue 4)', () => {
  test.each<[string, Partial<Record<ImportColumn, string>>, ImportColumn, RegExp]>([
    ['no ID', { USER_ID: '' }, 'USER_ID', /필수/],
    ['a malformed ID', { USER_ID: '한글아이디' }, 'USER_ID', /4~20자/],
    ['an ID that is taken', { USER_ID: 'Taken.ID' }, 'USER_ID', /이미 사용 중인 아이디/],
    ['the ID of somebody withdrawn (decisions §5)', { USER_ID: 'gone.id' }, 'USER_ID', /이미 사용 중/],
    ['an e-mail that is taken', { E_MAIL: 'TAKEN@example.com' }, 'E_MAIL', /이미 사용 중인 이메일/],
    ['no e-mail address', { E_MAIL: 'x' }, 'E_MAIL', /형식/],
    ['a phone number of 10 digits', { PHONE_NUMBER: '0101234567' }, 'PHONE_NUMBER', /11자리/],
    ['an unknown affiliation', { BELONGTO_CODE: '제주지사' }, 'BELONGTO_CODE', /목록에 없는/],
    ['an unknown role', { AUTHORITYS_CODE: '사장' }, 'AUTHORITYS_CODE', /목록에 없는/],
    ['a partner of another affiliation', { PARTNER_CODE: 'PT-ELSE' }, 'PARTNER_CODE', /이 소속의/],
    [
      'a day that does not exist',
      { EXPIRY_DATETIME_END: '2027-02-30' },
      'EXPIRY_DATETIME_END',
      /존재하는 날짜/,
    ],
    ['an end before the start', { EXPIRY_DATETIME_END: '2025-12-31' }, 'EXPIRY_DATETIME_END', /빠를 수 없/],
    ['a name of 51 characters', { NAME: '가'.repeat(51) }, 'NAME', /50자/],
  ])('%s is told with row and field', async (_what, wrong, FIELD, words) => {
    const { ERRORS } = await check([good(1), good(2, wrong)])
    expect(ERRORS).toEqual([{ ROW: 2, FIELD, MSG: expect.stringMatching(words) }])
  })

  test('every wrong cell of every row, in the order of the file and in the language of the person', async () => {
    const data = await check(
      [good(1, { NAME: '', RANK: '' }), good(2), good(3, { PHONE_NUMBER: 'x' })],
      admin,
      'en',
    )
    expect(data).toMatchObject({ ROW_COUNT: 3, ERROR_COUNT: 3 })
    expect(data.ERRORS.map(({ ROW, FIELD }) => [ROW, FIELD])).toEqual([
      [1, 'NAME'],
      [1, 'RANK'],
      [3, 'PHONE_NUMBER'],
    ])
    for (const { MSG } of data.ERRORS) expect(MSG).toMatch(/^[\x20-\x7e]+$/)
  })

  test('an ID or an e-mail that comes twice names the row of the first', async () => {
    const { ERRORS } = await check([
      good(1),
      good(2, { USER_ID: 'IMPORT.1' }),
      good(3, { E_MAIL: 'Import.1@example.com' }),
    ])
    expect(ERRORS).toEqual([
      { ROW: 2, FIELD: 'USER_ID', MSG: '1번째 사용자와 같습니다.' },
      { ROW: 3, FIELD: 'E_MAIL', MSG: '1번째 사용자와 같습니다.' },
    ])
  })

  test('인사 관리자 may not grant 관리자 (decisions §5), by name or by code; 관리자 may', async () => {
    for (const AUTHORITYS_CODE of ['관리자', 'AUT001', 'Administrator']) {
      const rows = [good(1, { AUTHORITYS_CODE })]
      expect((await check(rows, hr)).ERRORS).toMatchObject([{ ROW: 1, FIELD: 'AUTHORITYS_CODE' }])
      expect((await check(rows)).ERRORS).toEqual([])
    }
  })

  test('nothing is written', async () => {
    const before = await everything()
    await check([good(1), good(2, { NAME: '' })])
    expect(await everything()).toEqual(before)
  })

  test('no row and more than 10,000 rows are refused', async () => {
    for (const ROWS of [[], Array.from({ length: 10_001 }, (_, n) => good(n))]) {
      const answer = await maru.call(checkImport, { ROWS }, admin)
      expect(answer).toMatchObject({ code: 'INPUT_INVALID', field: 'ROWS' })
    }
  })
})

describe('the import (issue 4)', () => {
  test('a wrong password of the manager registers nobody and counts', async () => {
    const before = await everything()
    const person = await maru.createUser({ role: 'hr' })
    expect((await importing([good(1)], person, 'wrong-Maru-2026!')).code).toBe('PASSWORD_WRONG')
    expect(await sql('select failures from login_failures where login_id = $1', [person.userId])).toEqual([
      { failures: 1 },
    ])
    expect((await everything())[0].users).toBe(before[0].users + 1)
  })

  test('one wrong row: nothing at all is registered, mailed or on record', async () => {
    const before = await everything()
    expect((await importing([good(1), good(2, { NAME: '' })])).code).toBe('IMPORT_INVALID')
    expect((await importing([good(1, { AUTHORITYS_CODE: '관리자' })], hr)).code).toBe('IMPORT_INVALID')
    expect(await everything()).toEqual(before)
  })

  test('all rows: approved accounts with partner and validity, one record, a mail for each, and no usable password', async () => {
    const before = await everything()
    const answer = await importing(
      [good(11), good(12, { AUTHORITYS_CODE: '인사 관리자', E_MAIL: 'Capital@Example.com' })],
      hr,
    )
    expect(answer.data).toEqual({ ROW_COUNT: 2 })
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
        t: '2027-12-31',
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
          ['import.11', 'AUT003'],
          ['import.12', 'AUT002'],
        ],
      },
    })
    expect((await everything())[0].records).toBe(before[0].records + 1)
    for (const PW of ['', PASSWORD, 'import.11']) {
      const answerOf = await maru.callRaw(login.path, { ID: 'import.11', PW })
      expect(answerOf.status).toBe(400)
    }
  })

  test('the mail says the ID and how to make a password, and holds no secret', async () => {
    await importing([good(21)])
    const outbox = join(maru.dataDir, 'outbox')
    const mailed = async () => {
      for (const file of await readdir(outbox).catch(() => [])) {
        const mail = await PostalMime.parse(await readFile(join(outbox, file)))
        if (mail.to?.[0]?.address === 'import.21@example.com') return mail.text
      }
      return undefined
    }
    await expect.poll(mailed, { timeout: 10_000 }).toContain('import.21 계정이 등록되었습니다')
    expect(await mailed()).toContain('비밀번호 재설정')
  })

  test('an ID that somebody takes at the same moment: one of the two wins, whole', async () => {
    const [one, two] = await Promise.all([importing(thirty(100)), importing(thirty(129))])
    const codes = [one.code, two.code].filter((code) => code !== undefined)
    expect(codes).toEqual(['IMPORT_INVALID'])
    const [{ count }] = await sql(
      `select count(*)::int as count from users where login_id ~ '^import.1[0-9][0-9]$'`,
    )
    expect(count).toBe(30)
  })
})
