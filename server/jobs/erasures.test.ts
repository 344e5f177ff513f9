import { beforeEach, describe, expect, test } from 'vitest'
import { checkId, login } from '../../contract/account.ts'
import { issueKey, listKeys } from '../../contract/keys.ts'
import { getNotice } from '../../contract/notices.ts'
import { getRetention, type RetentionKind, updateRetention } from '../../contract/settings/retention.ts'
import { getWithdrawn, listUsers, registerUser, restoreUser } from '../../contract/users.ts'
import { checkImport } from '../../contract/users/import.ts'
import { toColumn } from '../db/column-names.ts'
import { DELETED_WITH_USER, ERASED_NAME, KEPT_REFERENCES } from '../domains/users/erase.ts'
import { writeNotice } from '../../dev/test-kit/files.ts'
import { holderOf, partnerWith } from '../../dev/test-kit/keys.ts'
import { untilBlocked } from '../../dev/test-kit/locks.ts'
import { PASSWORD, useMaru } from '../../dev/test-kit/maru.ts'
import type { TestUser } from '../../dev/test-kit/people.ts'
import { SAMPLE, sampleOf } from '../../dev/test-kit/samples.ts'
import { eraseExpired } from './erasures.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.owner.query(text, values)).rows as Record<string, unknown>[]
const count = async (from: string, values: unknown[] = []) =>
  Number((await sql(`select count(*)::int as n from ${from}`, values))[0]?.['n'])

/** Runs until nothing is left, as a server does. */
async function erase(most = 3): Promise<void> {
  while (await eraseExpired(maru.database.db, maru.services.keySecret, new AbortController().signal, most));
}
/** Returns the recorded number of erasures of a kind. */
const onRecord = async (kind: RetentionKind) =>
  Number((await sql('select coalesce(sum(n), 0)::int as n from erasures where kind = $1', [kind]))[0]?.['n'])

async function withdrawnFor(days: number, user = {}): Promise<TestUser> {
  const person = await maru.createUser({ name: '김떠남', ...user })
  await sql(
    `update users set withdrawn_at = now() - make_interval(days => $2), withdrawn_reason = '퇴사' where id = $1`,
    [person.id, days],
  )
  return person
}
const rowOf = async ({ id }: TestUser) => (await sql('select * from users where id = $1', [id]))[0] ?? {}
const isErased = async (person: TestUser) => (await rowOf(person))['erased_at'] !== null

/** Gives somebody of everything that is theirs alone. */
const fill = async ({ id, userId }: TestUser) => {
  await sql(`insert into password_history (user_id, password_hash) values ($1, 'x')`, [id])
  await sql(`insert into saved_searches (user_id, list, name, conditions) values ($1, 'users', 'n', '{}')`, [
    id,
  ])
  await sql(
    `insert into login_networks (user_id, network) values ($1, '10.0.0.0/24') on conflict do nothing`,
    [id],
  )
  await sql(`insert into notifications (kind, user_id) values ('KEY_REVOKED', $1)`, [id])
  await sql(`insert into upload_days (user_id, day, bytes) values ($1, current_date, 1)`, [id])
  await sql(`insert into login_failures (login_id, failures) values ($1, 1)`, [userId])
}

/** Counts the rows of each such table that belong to the user. */
const belongings = async ({ id, userId }: TestUser) => [
  ...(await Promise.all(
    Object.entries(DELETED_WITH_USER).map(([table, column]) =>
      count(toColumn(`${table} where ${column} = $1`), [id]),
    ),
  )),
  await count('login_failures where login_id = $1', [userId]),
]

/** Creates a request that was decided `days` days ago. */
const request = (state: string, days: number, loginId: string, userId: string | null = null) =>
  sql(
    `insert into approval_requests (user_id, login_id, name, email, affiliation_code, state, kind, to_affiliation_code, decided_by, decided_at, reason)
     values ($1, $2, '최신청', 'c@example.com', 'BEL001', $3, $4, $5, $6, now() - make_interval(days => $7), $8)`,
    [
      userId,
      loginId,
      state,
      state === 'withdrawn' ? 'affiliation' : 'account',
      state === 'withdrawn' ? 'BEL002' : null,
      admin.id,
      days,
      state === 'refused' ? '사유' : null,
    ],
  )

/** SQL of the first day of the month that was some months ago. */
const month = (age: number) => `date_trunc('month', now() - interval '${age} months')::date`
/** Adds the chain of a month to the access log, or archives it. */
const addMonth = (age: number, archived: string) =>
  sql(
    `insert into access_log_heads values (${month(age)}, 5, now(), '', ${archived})
      on conflict (month) do update set archived_at = excluded.archived_at`,
  )
/** Returns the numbers of rows of inspections, reviews and incidents. */
const privacyRecords = async () =>
  Promise.all(
    [
      'inspections',
      'inspection_findings',
      'rights_reviews',
      'rights_review_items',
      'incidents',
      'incident_records',
      'leak_searches',
      'leak_people',
    ].map((table) => count(table)),
  )

let admin: TestUser
beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
  await erase()
  await sql('delete from erasures')
})

describe('a withdrawn person (rules/retention#withdrawn-people)', () => {
  test('is nobody after 30 days, and before that all of themselves', async () => {
    const over = await withdrawnFor(31, { name: '김떠남', phoneNumber: '01099998888' })
    await sql(`update users set employee_number = 'E-1', custom_values = '{"custom1": "x"}' where id = $1`, [
      over.id,
    ])
    const young = await withdrawnFor(29)
    const present = await maru.createUser({ name: '박남음' })
    const before = [await rowOf(young), await rowOf(present)]
    await erase()
    expect(await rowOf(over)).toMatchObject({
      login_id: `~${over.id}`,
      name: ERASED_NAME,
      position: '',
      phone_number: '',
      employee_number: null,
      custom_values: {},
      email: '',
      password_hash: '',
      withdrawn_reason: null,
      last_login_at: null,
    })
    expect([await rowOf(young), await rowOf(present)]).toEqual(before)
    expect(await onRecord('withdrawnAccounts')).toBe(1)
    const everywhere = await sql('select to_jsonb(e)::text as row from erasures e')
    expect(JSON.stringify(everywhere)).not.toMatch(new RegExp(`${over.userId}|떠남|01099998888`))
  })

  test('leaves notices, comments and keys with a neutral author', async () => {
    const over = await holderOf(maru, await partnerWith(maru))
    expect((await maru.call(issueKey, { requestKey: 'erased-1' }, over)).status).toBe(200)
    const noticeId = await writeNotice(maru, over)
    await sql(`insert into notice_comments (notice_id, author_id, body) values ($1, $2, '글')`, [
      noticeId,
      over.id,
    ])
    await sql(`update users set withdrawn_at = now() - interval '31 days' where id = $1`, [over.id])
    await erase()
    const { data } = await maru.call(getNotice, { noticeId }, admin)
    expect(data).toMatchObject({ name: ERASED_NAME, userId: `~${over.id}` })
    expect(await count('notice_comments where author_id = $1', [over.id])).toBe(1)
    const keys = (await maru.call(listKeys, {}, admin)).data.keys
    expect(keys).toMatchObject([{ name: ERASED_NAME, userId: `~${over.id}` }])
  })

  test('loses everything that was theirs alone, and nobody else loses anything', async () => {
    const over = await withdrawnFor(31)
    const other = await maru.createUser()
    await fill(over)
    await fill(other)
    const before = await belongings(other)
    await erase()
    expect((await belongings(over)).every((n) => n === 0)).toBe(true)
    expect(await belongings(other)).toEqual(before)
    expect(before.filter((n) => n > 0).length).toBeGreaterThan(4)
  })

  test('lists for every column that references a user what happens to it', async () => {
    const found = await sql(`
      select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1`)
    const said = [
      ...Object.entries(DELETED_WITH_USER).map(([table, column]) => `${table}.${column}`),
      ...KEPT_REFERENCES,
    ].map(toColumn)
    expect(found.map(({ name }) => name)).toEqual(said.toSorted())
  })

  test('keeps the ID from everybody, though nobody can read it any more', async () => {
    const over = await withdrawnFor(31, { loginId: 'gone.for.good' })
    await sql(`update users set login_id = 'gone.anew' where id = $1`, [over.id])
    await erase()
    const ids = await sql('select login_id from login_ids where user_id = $1', [over.id])
    expect(ids.map(({ login_id: id }) => String(id).slice(0, 1)).toSorted()).toEqual(['#', '#', '~'])
    await maru.createPartner({ code: SAMPLE.partner })
    for (const userId of ['gone.for.good', 'gone.anew']) {
      expect((await maru.call(checkId, { userId })).code).toBe('USER_ID_TAKEN')
      const asked = {
        ...(sampleOf({ endpoint: registerUser }) as object),
        userId,
        email: `${userId}@example.com`,
      }
      expect((await maru.callRaw(registerUser.path, asked, admin)).code).toBe('USER_ID_TAKEN')
      const rows = [{ ...(sampleOf({ endpoint: checkImport }) as { rows: object[] }).rows[0], userId }]
      const { data } = await maru.callRaw(checkImport.path, { rows }, admin)
      expect(JSON.stringify(data)).toContain('"field":"userId"')
    }
    const tries = await Promise.all(
      ['gone.anew', `~${over.id}`, 'nobody.ever'].map((loginId) =>
        maru.call(login, { loginId, password: PASSWORD }),
      ),
    )
    expect(tries.map(({ code }) => code)).toEqual(Array(3).fill('LOGIN_FAILED'))
  })

  test('is found, read and taken back by nobody', async () => {
    const over = await withdrawnFor(31)
    await erase()
    const list = (await maru.call(listUsers, { withdrawn: true, perPage: 100 }, admin)).data.users
    expect(list.filter(({ name }) => name === ERASED_NAME)).toEqual([])
    expect((await maru.call(getWithdrawn, { userId: over.userId }, admin)).code).toBe('USER_NOT_FOUND')
    expect((await maru.call(restoreUser, { userId: over.userId }, admin)).code).toBe('USER_NOT_FOUND')
    await expect(
      maru.database.pool.query('update users set withdrawn_at = null where id = $1', [over.id]),
    ).rejects.toThrow('users_erased')
  })
})

describe('erasing (rules/retention#erasing)', () => {
  test('does and records nothing of a batch that is killed, and resumes later', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => withdrawnFor(40)))
    const other = await maru.owner.connect()
    try {
      await other.query('begin')
      await other.query('lock table password_history in exclusive mode')
      const run = eraseExpired(maru.database.db, maru.services.keySecret, new AbortController().signal, 3)
      const ended = expect(run).rejects.toThrow()
      await untilBlocked(other)
      await other.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))',
      )
      await ended
    } finally {
      await other.query('rollback')
      other.release()
    }
    expect(await Promise.all(people.map(isErased))).toEqual(Array(5).fill(false))
    expect(await onRecord('withdrawnAccounts')).toBe(0)
    await erase()
    expect(await Promise.all(people.map(isErased))).toEqual(Array(5).fill(true))
    expect(await onRecord('withdrawnAccounts')).toBe(5)
  })

  test('counts each erasure once for several concurrent servers', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => withdrawnFor(40)))
    await Promise.all([erase(2), erase(2), erase(2)])
    expect(await Promise.all(people.map(isErased))).toEqual(Array(12).fill(true))
    expect(await onRecord('withdrawnAccounts')).toBe(12)
  })

  test('leaves what somebody holds for the next time, and what was taken back for good', async () => {
    const [held, free] = [await withdrawnFor(40), await withdrawnFor(40)]
    const other = await maru.owner.connect()
    try {
      await other.query('begin')
      await other.query('update users set withdrawn_at = null, withdrawn_reason = null where id = $1', [
        held.id,
      ])
      await eraseExpired(maru.database.db, maru.services.keySecret, new AbortController().signal)
      expect(await isErased(free)).toBe(true)
      await other.query('commit')
    } finally {
      other.release()
    }
    await erase()
    expect(await rowOf(held)).toMatchObject({ name: '김떠남', erased_at: null, withdrawn_at: null })
  })

  test('waits for its first day after an update, and stops between kinds on shutdown', async () => {
    const person = await withdrawnFor(400)
    await sql(`update settings set erasing_from = now() + interval '1 minute'`)
    await erase()
    expect(await isErased(person)).toBe(false)
    await sql(`update settings set erasing_from = now()`)
    await eraseExpired(maru.database.db, maru.services.keySecret, AbortSignal.abort())
    expect(await isErased(person)).toBe(false)
    await erase()
    expect(await isErased(person)).toBe(true)
  })
})

describe('each kind (rules/retention#kinds)', () => {
  test('erases expired records of each kind, and keeps young, open or approved ones', async () => {
    const person = await maru.createUser()
    await request('refused', 91, 'r.old')
    await request('refused', 89, 'r.young')
    await request('withdrawn', 91, 'w.old', person.id)
    await request('approved', 400, 'a.old', person.id)
    const waiting = await maru.createUser({ approved: false, asked: true, createdAt: '2020-01-01' })
    const program = (name: string, days: number) =>
      sql(
        `insert into program_tokens (user_id, name, token_hash, expires_at, ended_at, end_reason)
         values ($1, $2, $3, now() + interval '1 day', now() - make_interval(days => $4), 'revoked')`,
        [person.id, name, Buffer.from(name), days],
      )
    await program('오래된 것', 366)
    await program('끝난 것', 364)
    await sql(
      `insert into program_tokens (user_id, name, token_hash, expires_at) values ($1, '쓰는 것', 'x', now() + interval '1 day')`,
      [person.id],
    )
    await erase()
    const left = await sql(
      `select login_id from approval_requests where login_id in ('r.old', 'r.young', 'w.old', 'a.old', $1) order by 1`,
      [waiting.userId],
    )
    expect(left.map(({ login_id: id }) => id)).toEqual(['a.old', 'r.young', waiting.userId].toSorted())
    const programs = await sql('select name from program_tokens where user_id = $1 order by 1', [person.id])
    expect(programs.map(({ name }) => name)).toEqual(['끝난 것', '쓰는 것'])
    expect([await onRecord('closedRequests'), await onRecord('programTokens')]).toEqual([2, 1])
  })

  test('erases audit rows past their retention and never below the legal minimum (rules/retention#least)', async () => {
    const row = (age: string) =>
      sql(
        `insert into audit_log (action, target, detail, address, request_id, at) values ('user.update', $1::text, '{}', '', 'r', now() - $1::text::interval)`,
        [age],
      )
    for (const age of ['61 months', '62 months', '59 months', '35 months']) await row(age)
    await erase(1)
    const ages = async () =>
      (await sql(`select target from audit_log where target like '%months' order by 1`)).map(
        ({ target }) => target,
      )
    expect(await ages()).toEqual(['35 months', '59 months'])
    expect(await onRecord('trail')).toBe(2)
    const counted = await sql(
      `select coalesce(sum(n), 0)::int as n from audit_counts where day < now() - interval '60 months'`,
    )
    expect(counted).toEqual([{ n: 0 }])
    const { data } = await maru.call(getRetention, {}, admin)
    const asked = { kinds: [{ kind: 'trail', keptFor: 36 }], officerName: '', version: data.version }
    expect((await maru.callRaw(updateRetention.path, asked, admin)).status).toBe(200)
    await erase()
    expect(await ages()).toEqual(['35 months'])
    // The legal minimum holds for any value that the application role passes.
    for (const months of [35, 0, -5, null])
      await expect(maru.database.pool.query('select audit_log_erase($1, 100)', [months])).rejects.toThrow(
        '36 months',
      )
    await expect(maru.database.pool.query('delete from audit_log')).rejects.toThrow('permission denied')
    expect(await ages()).toEqual(['35 months'])
  })

  test('erases inspections, reviews and closed incidents past their retention (rules/retention#kinds)', async () => {
    for (const age of [62, 63, 59]) {
      await sql(`insert into access_log_heads values (${month(age)}, 1, now(), '', now())`)
      await sql(
        `insert into inspections (month, records, chain_end, rules, searcher_name) values (${month(age)}, 1, '', '{}', '점검')`,
      )
      await sql(`insert into inspection_findings (month, rule, day, login_id, name, address, amount)
        values (${month(age)}, 'nightAccess', now(), '', '', '', 1)`)
      await sql(`update inspections set signed_at = now() where signed_at is null`)
      const quarter = `date_trunc('quarter', now() - interval '${age * 2} months')::date`
      await sql(`insert into rights_reviews (quarter, taker_name) values (${quarter}, '검토')`)
      await sql(`insert into rights_review_items (quarter, role_code, role_name, role_name_en, functions)
        values (${quarter}, 'AUT001', '관리자', 'Admin', '{}')`)
      await sql(`update rights_reviews set signed_at = now() where signed_at is null`)
    }
    // One of them was never closed.
    for (const closed of [`now() - interval '61 months'`, `now() - interval '59 months'`, 'null']) {
      const [{ id }] = (await sql(
        `insert into incidents (title, known_at, created_by) values ('사고', now() - interval '70 months', $1) returning id`,
        [admin.id],
      )) as [{ id: string }]
      await sql(
        `insert into incident_records (incident_id, kind, happened_at, recorded_by) values ($1, 'KNOWN', now(), $2)`,
        [id, admin.id],
      )
      const [{ search }] = (await sql(
        `insert into leak_searches (incident_id, origin, value, searched_from, searched_to, searched_by, people, records)
          values ($1, 'ADDRESS', '', now(), now(), $2, 1, 1) returning id as search`,
        [id, admin.id],
      )) as [{ search: string }]
      await sql(`insert into leak_people values ($1, $2, '{}', 1, now(), now())`, [search, admin.id])
      await sql(`update incidents set closed_at = ${closed} where id = $1`, [id])
    }
    await erase(1)
    expect(await privacyRecords()).toEqual([1, 1, 0, 0, 2, 2, 2, 2])
    expect(await onRecord('privacyRecords')).toBe(6)
    for (const months of [35, 0, -5, null])
      await expect(
        maru.database.pool.query('select privacy_records_erase($1, 100)', [months]),
      ).rejects.toThrow('36 months')
    await expect(maru.database.pool.query('delete from incidents')).rejects.toThrow('permission denied')
    // Signed ones younger than 36 months stay, for any caller.
    await sql(`insert into inspections (month, records, chain_end, rules, searcher_name, signed_at)
      values (${month(30)}, 1, '', '{}', '점검', now())`)
    await expect(maru.database.pool.query('delete from inspections')).rejects.toThrow('is signed')
  })

  test('marks months of the access log past their retention, never young ones (rules/retention#kinds)', async () => {
    await addMonth(70, 'now()')
    await addMonth(71, 'null')
    await addMonth(40, 'now()')
    await erase()
    // Those of the test before are among them.
    expect(await count(`access_log_heads where erased_at is not null and archived_at is null`)).toBe(0)
    expect(await count(`access_log_heads where erased_at is not null and position = 5`)).toBe(1)
    for (const months of [23, 0, -5, null])
      await expect(maru.database.pool.query('select access_log_erase($1)', [months])).rejects.toThrow(
        '24 months',
      )
    await expect(maru.database.pool.query('update access_log_heads set erased_at = now()')).rejects.toThrow(
      'permission denied',
    )
  })

  test('records erasures in rows that the application role cannot change', async () => {
    await withdrawnFor(31)
    await erase()
    for (const text of ['delete from erasures', 'update erasures set n = 0', 'truncate erasures'])
      await expect(maru.database.pool.query(text)).rejects.toThrow('permission denied')
    expect(await sql('select kind, method, kept_for, n from erasures')).toEqual([
      { kind: 'withdrawnAccounts', method: 'ANONYMIZED', kept_for: 30, n: 1 },
    ])
  })
})
