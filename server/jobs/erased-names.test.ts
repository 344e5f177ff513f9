import { createHash, createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkId, login } from '../../contract/account.ts'
import { createComment } from '../../contract/notices.ts'
import { listNotifications } from '../../contract/notifications.ts'
import { listSavedSearches, saveSearch, updateUser, withdrawUser } from '../../contract/users.ts'
import { createAdmin } from '../domains/account/index.ts'
import { migrations } from '../db/migrate.ts'
import { ERASED_NAME } from '../domains/users/erase.ts'
import { findErasedIds, renewErasedIds } from '../domains/account/erased-ids.ts'
import { deriveFrom, type KeySecret } from '../services/key-secret.ts'
import { writeNotice } from '../../dev/test-kit/files.ts'
import { PASSWORD, useMaru } from '../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../dev/test-kit/people.ts'
import { eraseExpired } from './erasures.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.owner.query(text, values)).rows as Record<string, unknown>[]
const count = async (from: string, values: unknown[] = []) =>
  Number((await sql(`select count(*)::int as n from ${from}`, values))[0]?.['n'])

async function erase(keys = maru.services.keySecret): Promise<void> {
  while (await eraseExpired(maru.database.db, keys, new AbortController().signal));
}
async function withdrawnFor(days: number, user: NewUser): Promise<TestUser> {
  const person = await maru.createUser(user)
  await sql(`update users set withdrawn_at = now() - make_interval(days => $2) where id = $1`, [
    person.id,
    days,
  ])
  return person
}

const secret = (...lines: string[]) => deriveFrom(lines.map((line) => line.repeat(32)).join('\n'))

const digests = async ({ id }: TestUser) =>
  (await sql(`select login_id from login_ids where user_id = $1 and login_id like '#%'`, [id])).map(
    ({ login_id: digest }) => String(digest),
  )
const isTaken = async (userId: string) => (await maru.call(checkId, { userId })).code === 'USER_ID_TAKEN'

let admin: TestUser
beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
})

/** Columns that keep data of an erased user, each with the law or rule that requires it (rules/retention#withdrawn-people). */
const KEPT_BY_LAW: Readonly<Record<string, string>> = {
  audit_log: 'changes of rights: law/permissionRecords, three years; erased as `trail`',
  access_log: 'access records: law/accessLogKept; archived after the months of a setting',
  notice_comments: 'the content of another author',
}

/** Counts the names of the erased user in rights reviews and inspections whose `signed_at` is this. */
const namesLeft = (signed: string) => [
  count(
    `rights_review_items i join rights_reviews using (quarter) where signed_at is ${signed} and i::text ~ 'sunwoo|선우'`,
  ),
  count(
    `inspection_findings i join inspections using (month) where signed_at is ${signed} and i::text ~ 'sunwoo|선우'`,
  ),
]

describe('an erased name, ID, email or phone number (rules/retention#withdrawn-people)', () => {
  const person = {
    name: '독고유일',
    loginId: 'dokgo.only',
    email: 'dokgo.only@example.com',
    phoneNumber: '01073519264',
  }
  const traces = [person.name, person.loginId, person.phoneNumber, '010-7351-9264', '519264']

  it('leaves every column of every table, except what the law keeps', async () => {
    const gone = await maru.createUser({ ...person, role: 'hr' })
    await sql(`update users set employee_number = 'DG-519264' where id = $1`, [gone.id])
    const author = await maru.createUser({ role: 'hr', name: '박작가' })
    const noticeId = await writeNotice(maru, author)
    await sql(`update notices set allow_comments = true where id = $1`, [noticeId])
    expect((await maru.call(createComment, { noticeId, text: '의견입니다' }, gone)).status).toBe(200)
    const byText = { '이름 독고유일': {}, 'dokgo.only 님': {}, 찾기: { keyword: ` ${person.name} ` } }
    const byField = {
      이름: { name: '독고유일' },
      번호: { keyword: '010-7351-9264' },
      주소: { keyword: person.email.toUpperCase() },
      사번: { keyword: ' dg-519264' },
    }
    for (const [searchName, conditions] of Object.entries({
      ...byText,
      ...byField,
      남음: { keyword: 'dokgo.on' },
    }))
      expect((await maru.callRaw(saveSearch.path, { searchName, conditions }, author)).status).toBe(200)
    for (const loginId of [person.loginId, person.email, person.name])
      await maru.call(login, { loginId, password: 'wrong-Pass-2026!' })
    await maru.call(login, { loginId: person.loginId, password: PASSWORD })
    await sql(
      `insert into mails (recipient, subject, text, html, failed_at) values
      ($1, 'x', '', '', now()), ('other@example.com', '독고유일님의 요청', '', '', now())`,
      [person.email],
    )
    await sql(
      `insert into certifications (type_code, email, login_id, salt, code_hash, expires_at)
      values ('SIGN_UP', $1, $2, '', '', now())`,
      [person.email, person.loginId],
    )
    const asked = { userId: gone.userId }
    expect((await maru.call(withdrawUser, asked, admin)).status).toBe(200)
    await sql(`update users set withdrawn_at = now() - interval '31 days' where id = $1`, [gone.id])
    expect(await tablesWith(traces)).toEqual(expect.arrayContaining(['saved_searches', 'users']))

    await erase()
    const left = (await tablesWith(traces)).filter(
      (table) => !(table.replace(/_\d{4}_\d\d$/, '') in KEPT_BY_LAW),
    )
    expect(left).toEqual([])
    const { data } = await maru.call(listSavedSearches, {}, author)
    expect(data.searches.map(({ searchName }) => searchName)).toEqual(['남음'])
    const bell = await maru.call(listNotifications, {}, author)
    expect(bell.data.notifications).toMatchObject([{ kind: 'NOTICE_COMMENT', noticeId, name: ERASED_NAME }])
    // A tab that was left open has no session any more.
    expect((await maru.call(createComment, { noticeId, text: '또' }, gone)).code).toBe('SESSION_REQUIRED')
  })

  it('is removed from an unsigned review or inspection, and stays in signed ones', async () => {
    const gone = await withdrawnFor(31, { name: '선우유일', loginId: 'sunwoo.only' })
    const marks = [gone.id, gone.userId, '선우유일']
    for (const [period, signedAt] of [
      ['2026-01-01', null],
      ['2026-04-01', new Date()],
    ]) {
      await sql(`insert into rights_reviews (quarter, taker_name) values ($1, '')`, [period])
      await sql(
        `insert into rights_review_items (quarter, role_code, role_name, role_name_en, functions, person_id, login_id, name, remarker_id, remarker_name)
        values ($1, 'AUT001', '', '', '{}', $2, $3, $4, $2, $4)`,
        [period, ...marks],
      )
      await sql(
        `insert into inspections (month, records, chain_end, rules, searcher_name) values ($1, 0, '', '{}', '')`,
        [period],
      )
      for (const loginId of [gone.userId, 'sunwoo.before'])
        await sql(
          `insert into inspection_findings (month, rule, day, person_id, login_id, name, address, amount, remarker_id, remarker_name)
          values ($1, 'failedLogins', $1, $2, $3, $4, '', 1, $2, $4)`,
          [period, gone.id, loginId, '선우유일'],
        )
      await sql(`update rights_reviews set signed_at = $2 where quarter = $1`, [period, signedAt])
      await sql(`update inspections set signed_at = $2 where month = $1`, [period, signedAt])
    }
    await erase()
    expect(await Promise.all(namesLeft('null'))).toEqual([0, 0])
    expect(await Promise.all(namesLeft('not null'))).toEqual([1, 2])

    // The update replaces the names that an earlier version left.
    for (const [table, period] of [
      ['rights_review_items', 'quarter'],
      ['inspection_findings', 'month'],
    ])
      await sql(
        `update ${table} set login_id = 'sunwoo' || id, name = $1, remarker_name = $1
          where person_id = $2 and ${period} = '2026-01-01'`,
        ['선우유일', gone.id],
      )
    expect(await Promise.all(namesLeft('null'))).toEqual([1, 2])
    const update = migrations.find(({ name }) => name.startsWith('096'))
    await maru.owner.query(update?.sql ?? '')
    expect(await Promise.all(namesLeft('null'))).toEqual([0, 0])
    expect(await Promise.all(namesLeft('not null'))).toEqual([1, 2])
  })

  it('keeps saved searches that mean a present user', async () => {
    const gone = await withdrawnFor(31, {
      name: '남궁둘째',
      email: 'second@example.com',
      phoneNumber: '01073519265',
    })
    await maru.createUser({ name: '남궁둘째', email: 'second@example.com', phoneNumber: '01073519265' })
    for (const keyword of ['남궁둘째', 'second@example.com', '01073519265', gone.userId])
      expect(
        (await maru.callRaw(saveSearch.path, { searchName: keyword, conditions: { keyword } }, admin)).status,
      ).toBe(200)
    await erase()
    const { data } = await maru.call(listSavedSearches, {}, admin)
    expect(data.searches.map(({ searchName }) => searchName).toSorted()).toEqual([
      '01073519265',
      'second@example.com',
      '남궁둘째',
    ])
  })
})

/** Which tables hold one of these texts in any column. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const tables = await sql(`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`)
  const found: string[] = []
  for (const { name } of tables)
    if (
      (await count(`"${String(name)}" t where t::text ilike any ($1)`, [texts.map((text) => `%${text}%`)])) >
      0
    )
      found.push(String(name))
  return found
}

describe('the digest of an erased ID (rules/retention#withdrawn-people)', () => {
  it('cannot be computed from what the database holds', async () => {
    const gone = await withdrawnFor(31, { loginId: 'brute.me' })
    await erase()
    const [{ installation } = {}] = await sql('select id::text as installation from installation')
    const stored = await digests(gone)
    expect(stored).toHaveLength(1)
    const keys = (await sql(`select encode(sealed, 'base64') as sealed from login_id_keys`)).map(
      ({ sealed }) => String(sealed),
    )
    expect(keys.length).toBeGreaterThan(0)
    for (const key of ['', String(installation), ...keys])
      for (const text of ['brute.me', `${String(installation)} brute.me`])
        for (const digest of [
          createHash('sha256').update(key).update(text).digest(),
          createHmac('sha256', key).update(text).digest(),
          createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest(),
        ])
          for (const encoding of ['hex', 'base64url'] as const)
            expect(stored[0]).not.toContain(digest.toString(encoding))
    expect(await isTaken('brute.me')).toBe(true)
  })

  it('gets a key at the start where an earlier version stored none', async () => {
    const gone = await withdrawnFor(31, { loginId: 'old.digest' })
    await erase()
    await sql(
      `update login_ids set login_id = '#' || encode(sha256(convert_to(
      (select id::text from installation) || ' old.digest', 'UTF8')), 'hex') where login_id = $1`,
      await digests(gone),
    )
    await renewErasedIds(maru.database.db, maru.services.keySecret)
    expect((await digests(gone))[0]).toMatch(/^##/)
    expect(await isTaken('old.digest')).toBe(true)
    expect(await isTaken('older.digest')).toBe(false)
  })

  it('survives a changed key secret and reports a lost one', async () => {
    await sql('delete from login_id_keys')
    const [first, second] = [secret('a'), secret('b', 'a')]
    const gone = await withdrawnFor(31, { loginId: 'by.the.first' })
    await erase(first)
    const taken = (keys: KeySecret) => findErasedIds(maru.database.db, keys, ['by.the.first', 'nobody.ever'])
    expect(await taken(first)).toEqual(['by.the.first'])
    expect(await renewErasedIds(maru.database.db, second)).toBe(0)
    // The former secret is taken away.
    expect(await taken(secret('b'))).toEqual(['by.the.first'])
    expect(await taken(secret('c'))).toEqual([])
    expect(await renewErasedIds(maru.database.db, secret('c'))).toBe(1)
    expect(await taken(secret('b'))).toEqual(['by.the.first'])
    expect(await digests(gone)).toHaveLength(1)
  })

  it('refuses the ID to a renamed user and to an operator too', async () => {
    await withdrawnFor(31, { loginId: 'erased.once' })
    await erase()
    const other = await maru.createUser({ loginId: 'another.one' })
    const basic = { affiliationCode: 'BEL001', position: '대리', name: '김바꿈', phoneNumber: '01012345678' }
    const renamed = { ...basic, originalUserId: other.userId, userId: 'erased.once', email: other.email }
    expect((await maru.callRaw(updateUser.path, renamed, admin)).code).toBe('USER_ID_TAKEN')
    const made = createAdmin(maru.database.db, maru.services, {
      userId: 'erased.once',
      email: 'new@example.com',
    })
    await expect(made).rejects.toThrow()
    expect(await count(`users where login_id = 'erased.once'`)).toBe(0)
  })
})
