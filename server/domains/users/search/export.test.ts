import { parse } from 'csv-parse/sync'
import { streamXlsxRows } from 'hucre/xlsx'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import readXlsxFile from 'read-excel-file/node'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { API_BASE, SESSION_HEADER } from '../../../../contract/envelope.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { exportUsers, listUsers } from '../../../../contract/users.ts'
import { type CallOptions, PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { sealInput } from '../../../../dev/test-kit/seal.ts'
import { takeExportSlot } from '../../exports/index.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
const OFFICE = 'BEL005'
const HEADER =
  '아이디,사용자명,소속,직급,전화번호,이메일,권한,파트너 코드,승인 상태,유효기간 시작일,유효기간 종료일,등록일,마지막 로그인,팀,사번'

let admin: TestUser
let hr: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  const people = [
    {
      loginId: 'export.a',
      name: '=HYPERLINK("http://x")',
      phoneNumber: '01012345678',
      email: 'kim@example.com',
    },
    { loginId: 'export.b', name: '따옴표", 쉼표', phoneNumber: '01087654321', email: 'a@example.com' },
    { loginId: 'export.c', name: '숨은관리자', role: 'admin' as const },
  ]
  for (const [index, person] of people.entries()) {
    const { id } = await maru.createUser({
      ...person,
      affiliation: OFFICE,
      createdAt: `2026-03-0${index + 1} 09:00+09`,
    })
    if (index === 1) await sql(`update users set position = '-1+1' where id = $1`, [id])
  }
})

const input = { affiliationCode: OFFICE, format: 'csv', reason: '2분기 점검' } as const
const exporting = (more: Partial<InputOf<typeof exportUsers>> = {}, by = admin, options: CallOptions = {}) =>
  maru.call(exportUsers, { ...input, ...more }, { session: by.session, ...options })
const audits = async () =>
  sql(`select actor_id, target, detail from audit_log where action = 'user.export' order by id`)
const openReads = async () =>
  (
    await sql(
      `select state from pg_stat_activity where application_name = 'maru long reads' and datname = current_database()`,
    )
  ).filter(({ state }) => state !== 'idle').length

const quoted = (line: string) => `"${line.replaceAll(',', '","')}"`

const fileName = async (language: string) => {
  const { headers } = await exporting({}, admin, { language })
  return decodeURIComponent(String(headers['content-disposition']))
}

describe('the export of users (rules/users#user-export, rules/lists#export)', () => {
  test('exports UTF-8 CSV with BOM, a header in the user’s language, in search order', async () => {
    expect((await exporting({ sort: 'lastLoginAt' })).status).toBe(200)
    const answer = await exporting({ sort: 'userId' })
    expect(answer.raw.startsWith(`\uFEFF${quoted(HEADER)}\r\n`)).toBe(true)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    const rows = parse(answer.raw, { bom: true, columns: true }) as Record<string, string>[]
    expect(rows.map((row) => row['아이디'])).toEqual(['export.a', 'export.b', 'export.c'])
    expect(rows[1]).toMatchObject({
      사용자명: '따옴표", 쉼표',
      소속: '기술연구소',
      등록일: '2026-03-02 09:00:00',
    })
    const english = await exporting({ sort: 'userId' }, admin, { language: 'en' })
    expect(english.raw.split('\r\n')[0]).toContain(quoted('ID,User name,Affiliation'))
  })

  test('has the wanted columns in the wanted order (rules/lists#export-columns)', async () => {
    const columns = ['name', 'email', 'userId', 'name', 'custom1', 'withdrawnAt'] as const
    const { raw } = await exporting({ sort: 'userId', columns: [...columns] })
    expect(raw.slice(1).split('\r\n').slice(0, 2)).toEqual([
      quoted('사용자명,이메일,아이디'),
      `"'=HYPERLINK(""http://x"")","ki***@example.com","export.a"`,
    ])
    expect((await audits()).at(-1)?.detail).not.toHaveProperty('filters.columns')
    expect(await exporting({ columns: ['password'] as never })).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('has the withdrawal of withdrawn accounts (rules/lists#export-columns)', async () => {
    const { id } = await maru.createUser({ name: '떠난사람', loginId: 'export.gone', affiliation: 'BEL004' })
    await sql(
      `update users set withdrawn_at = '2026-04-01 10:00+09', withdrawn_by = $2, withdrawn_reason = '퇴사' where id = $1`,
      [id, admin.id],
    )
    const gone = { affiliationCode: 'BEL004', withdrawn: true }
    const columns = ['userId', 'withdrawnAt', 'withdrawnBy', 'withdrawnReason'] as const
    const { raw } = await exporting({ ...gone, columns: [...columns] })
    expect(raw.slice(1).split('\r\n').slice(0, 2)).toEqual([
      quoted('아이디,탈퇴일,탈퇴 처리자,탈퇴 사유'),
      quoted(`export.gone,2026-04-01 10:00:00,${admin.userId},퇴사`),
    ])
    expect((await exporting(gone)).raw).toContain(quoted('탈퇴일,탈퇴 처리자,탈퇴 사유'))
  })

  test('has a file name that says what it holds and the day, in Korean and English', async () => {
    expect(await fileName('ko')).toMatch(/filename\*=UTF-8''사용자_\d{4}-\d\d-\d\d\.csv$/)
    expect(await fileName('en')).toMatch(/filename\*=UTF-8''users_\d{4}-\d\d-\d\d\.csv$/)
  })

  test('as XLSX opens in another reader and keeps phone numbers as text, with no formula', async () => {
    const [sheet] = await readXlsxFile(
      (await exporting({ format: 'xlsx', sort: 'userId', password: PASSWORD })).bytes,
    )
    expect(sheet?.sheet).toBe('사용자')
    const [header, ...rows] = sheet?.data ?? []
    expect(header?.join(',')).toBe(HEADER)
    expect(rows.map((row) => row.slice(0, 6))).toEqual([
      ['export.a', `'=HYPERLINK("http://x")`, '기술연구소', '대리', '010-1234-5678', 'kim@example.com'],
      ['export.b', '따옴표", 쉼표', '기술연구소', "'-1+1", '010-8765-4321', 'a@example.com'],
      [
        'export.c',
        '숨은관리자',
        '기술연구소',
        '대리',
        expect.stringMatching(/^010-/),
        'export.c@example.com',
      ],
    ])
    // And no cell of the file says that it is one.
    expect((await exporting({ format: 'xlsx' })).bytes.includes('<f>')).toBe(false)
  })

  test('as XLSX holds days and times as such, and nothing where there is none (rules/lists#formulas)', async () => {
    await sql(
      `update users set valid_from = '2026-01-01', valid_to = '2087-12-31' where login_id = 'export.a'`,
    )
    const [sheet] = await readXlsxFile((await exporting({ format: 'xlsx', sort: 'userId' })).bytes)
    expect(sheet?.data[1]?.slice(9)).toEqual([
      new Date('2026-01-01T00:00:00Z'),
      new Date('2087-12-31T00:00:00Z'),
      // As the list shows it: a spreadsheet knows no time zone.
      new Date('2026-03-01T09:00:00Z'),
      null,
      null,
      null,
    ])
    const [row] = parse((await exporting({ sort: 'userId' })).raw, { bom: true, from_line: 2 })
    expect(row?.slice(9)).toEqual(['2026-01-01', '2087-12-31', '2026-03-01 09:00:00', '', '', ''])
  })

  test('as XLSX replaces characters of old names that XML does not take (rules/lists#formulas)', async () => {
    await sql(`update users set name = U&'\\FFFE김\\FFFF' where login_id = 'export.c'`)
    const [sheet] = await readXlsxFile((await exporting({ format: 'xlsx', sort: 'userId' })).bytes)
    expect(sheet?.data[3]?.[1]).toBe('\ufffd김\ufffd')
    await sql(`update users set name = '숨은관리자' where login_id = 'export.c'`)
  })

  test('as XLSX shows no other text for what looks like an escaped character (rules/lists#formulas)', async () => {
    const name = '_x003D_1+1_x202e_관리자'
    await sql('update users set name = $1 where login_id = $2', [name, 'export.c'])
    const { bytes } = await exporting({ format: 'xlsx', sort: 'userId' })
    const names: unknown[] = []
    for await (const { values } of streamXlsxRows(bytes)) names.push(values[1])
    expect(names[3]).toBe(name)
    await sql(`update users set name = '숨은관리자' where login_id = 'export.c'`)
  })

  test('as CSV has no formula in cells that begin with =, +, - or @ (rules/lists#formulas)', async () => {
    await sql(`update users set position = 'x;=cmd|''/C calc''!A0' where login_id = 'export.c'`)
    const { raw } = await exporting({ sort: 'userId' })
    // A spreadsheet whose separator is a semicolon takes what follows one for a cell.
    for (const part of raw.split(/[;\r\n]/)) expect(part).not.toMatch(/^[=+\-@]/)
    expect(raw).toContain(`,"x;'=cmd|'/C calc'!A0",`)
    const rows = parse(raw, { bom: true, columns: true }) as Record<string, string>[]
    expect(rows[0]?.['사용자명']).toBe(`'=HYPERLINK("http://x")`)
    expect(rows[1]?.['직급']).toBe("'-1+1")
    for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  })

  test('masks phone and e-mail unless the password is entered again (rules/lists#masking)', async () => {
    const masked = (await exporting({ sort: 'userId' })).raw
    expect(masked).toContain(quoted('010-****-5678,ki***@example.com'))
    expect(masked).not.toMatch(/1234|kim@|8765/)
    const whole = (await exporting({ sort: 'userId', password: PASSWORD })).raw
    expect(whole).toContain(quoted('010-1234-5678,kim@example.com'))
  })

  test('is unmasked for nobody without the function, whatever password they give (rules/lists#masking)', async () => {
    const before = await audits()
    for (const password of [PASSWORD, 'wrong-Maru-2026!'])
      expect(await exporting({ password }, hr)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await audits()).toEqual(before)
    expect((await exporting({}, hr)).status).toBe(200)
  })

  test('refuses a wrong password without a record and counts it for the login lock', async () => {
    const person = await maru.createUser({ role: 'admin' })
    const before = await audits()
    for (let tries = 1; tries <= 4; tries += 1) {
      expect((await exporting({ password: 'wrong-Maru-2026!' }, person)).code).toBe('PASSWORD_WRONG')
    }
    expect((await exporting({ password: 'wrong-Maru-2026!' }, person)).code).toBe('LOGIN_LOCKED')
    expect((await exporting({ password: PASSWORD }, person)).code).toBe('LOGIN_LOCKED')
    expect(await audits()).toEqual(before)
  })

  test('logs user, reason, filters, row count and masking, but never the password (rules/lists#export-record)', async () => {
    await exporting({ name: '따옴표', password: PASSWORD }, admin)
    const record = (await audits()).at(-1)
    expect(record).toEqual({
      actor_id: admin.id,
      target: 'users',
      detail: {
        reason: '2분기 점검',
        format: 'csv',
        rows: 1,
        unmasked: true,
        filters: { affiliationCode: OFFICE, name: '따옴표' },
      },
    })
    expect(JSON.stringify(record)).not.toContain(PASSWORD)
  })

  test('leaves out 관리자 accounts for 인사 관리자, and withdrawn people for everyone', async () => {
    const { id } = await maru.createUser({ name: '나간사람', affiliation: OFFICE })
    await sql('update users set withdrawn_at = now() where id = $1', [id])
    expect((await exporting({}, hr)).raw).not.toMatch(/숨은관리자|나간사람/)
    expect((await exporting()).raw).toContain('숨은관리자')
    expect((await audits()).at(-2)?.detail.rows).toBe(2)
  })

  test('is refused without a reason', async () => {
    for (const reason of ['', '   '])
      expect(await exporting({ reason })).toMatchObject({ code: 'INPUT_INVALID', field: 'reason' })
  })
})

/** Temporary files of this process: they have no name, only descriptors. */
const temporaryFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(maru.dataDir, 'temporary'))
    } catch {
      return false
    }
  }).length

describe('a running export', () => {
  let port = 0
  beforeAll(async () => {
    maru.app.server.listen(0, '127.0.0.1')
    await once(maru.app.server, 'listening')
    port = (maru.app.server.address() as AddressInfo).port
    // More than fits into the socket buffers of a client that does not read: the kernel lets them grow to tens of megabytes.
    await sql(`insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
      select 'bulk' || n, 'x', repeat('가', 50), repeat('나', 3000), '01000000000', 'bulk' || n || '@example.com', 'BEL006', 'AUT003', 'MEMAP001'
      from generate_series(1, 6000) n`)
  })

  /** Begins an export without reading its response. */
  async function begin({ session } = admin) {
    const body = sealInput(exportUsers, { ...input, affiliationCode: 'BEL006' })
    const call = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: API_BASE + exportUsers.path,
      headers: { 'content-type': 'application/json', [SESSION_HEADER]: session },
    })
    call.end(body)
    const [answer] = await once(call, 'response')
    expect(answer.statusCode).toBe(200)
    call.on('error', () => {})
    answer.on('error', () => {})
    return answer as import('node:http').IncomingMessage
  }

  it('lets others export while two clients read slowly (rules/lists#export-limits)', async () => {
    const slow = [await begin(), await begin(await maru.createUser({ role: 'admin' }))]
    await expect.poll(openReads).toBe(0)
    expect(temporaryFiles()).toBe(2)
    expect(readdirSync(join(maru.dataDir, 'temporary'))).toEqual([])
    const quick = await maru.createUser({ role: 'admin' })
    const answer = await exporting({ affiliationCode: 'BEL006' }, quick)
    expect(answer.status).toBe(200)
    expect(parse(answer.raw, { bom: true, columns: true })).toHaveLength(6_000)
    // Neither is at its end, and neither may begin another one.
    expect(slow.map(({ readableEnded }) => readableEnded)).toEqual([false, false])
    expect(await exporting()).toMatchObject({ status: 429, code: 'EXPORT_BUSY' })
    expect(temporaryFiles()).toBe(2)

    slow[0]?.destroy()
    await expect.poll(temporaryFiles).toBe(1)
    let bytes = 0
    for await (const chunk of slow[1] ?? []) bytes += (chunk as Buffer).length
    expect(bytes).toBe(Buffer.byteLength(answer.raw))
    await expect.poll(temporaryFiles).toBe(0)
    expect((await exporting()).status).toBe(200)
  })

  it('gives a client that goes on and on no second export (rules/lists#export-limits)', async () => {
    const running = await begin()
    await expect.poll(openReads).toBe(0)
    for (let n = 0; n < 3; n += 1) expect((await exporting()).code).toBe('EXPORT_BUSY')
    running.destroy()
    await expect.poll(async () => (await exporting()).status).toBe(200)
    // A client with the whole file may ask for the next one.
    for (let n = 0; n < 5; n += 1) expect((await exporting()).status).toBe(200)
  })

  it('reads the database twice at once per server; others get 429 (rules/lists#export-limits)', async () => {
    const turns = [
      await takeExportSlot(maru.database.longReads, 'first'),
      await takeExportSlot(maru.database.longReads, 'second'),
    ]
    const third = await exporting()
    expect(third).toMatchObject({ status: 429, code: 'EXPORT_BUSY' })
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
    const list = await maru.call(listUsers, { affiliationCode: 'BEL006' }, { session: admin.session })
    expect(list.data.totalCount).toBe(6_000)
    for (const { end, release } of turns) {
      await end()
      release()
    }
    expect((await exporting()).status).toBe(200)
  })

  test('reads for one person once, on whatever server (rules/lists#export-limits)', async () => {
    const { end, release } = await takeExportSlot(maru.database.longReads, admin.id)
    const twin = await maru.startTwin()
    const there = (by: typeof admin) =>
      twin.call(exportUsers, { ...input, affiliationCode: OFFICE }, { session: by.session })
    expect(await there(admin)).toMatchObject({ status: 429, code: 'EXPORT_BUSY' })
    expect((await there(hr)).status).toBe(200)
    await end()
    release()
    expect((await there(admin)).status).toBe(200)
  })

  test('holds all rows of one moment, whatever changes meanwhile', async () => {
    const answer = await begin()
    await sql(`delete from users where login_id = 'bulk1'`)
    await maru.createUser({ loginId: 'too.late', affiliation: 'BEL006' })
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) text += chunk as string
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[]
    expect(rows).toHaveLength(6_000)
    expect(rows.some((row) => row['아이디'] === 'too.late')).toBe(false)
    expect(rows.some((row) => row['아이디'] === 'bulk1')).toBe(true)
    await expect.poll(openReads).toBe(0)
  })

  test('ends when its database connection breaks, and nothing else does', async () => {
    const answer = await begin()
    const cut = once(answer, 'error')
    await sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'maru long reads' and datname = current_database()`)
    answer.resume()
    await cut
    await expect.poll(temporaryFiles).toBe(0)
    await expect.poll(openReads).toBe(0)
    // Another one that was idle was cut too, of which the server may hear a little later.
    await expect.poll(async () => (await exporting()).status).toBe(200)
    expect((await exporting()).status).toBe(200)
  })
})
