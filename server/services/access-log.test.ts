import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { getSystem } from '../../contract/settings.ts'
import { exportUsers, getUser, listUsers, suspendUser } from '../../contract/users.ts'
import { PASSWORD, useMaru } from '../../dev/test-kit/maru.ts'
import { addPastRows, addRows, PAST_MONTH, signPast } from '../../dev/test-kit/past-month.ts'
import { acceptHeads, signatureProblems } from './access-log/accept.ts'
import { archiveMonths, linesOfArchive } from './access-log/archive.ts'
import { rowsOfMonth } from './access-log/chain.ts'
import { type KeptHead, keepHead, movingHeads, renewSignatures, signingKey } from './access-log/heads.ts'
import { verifyLog } from './access-log/verify.ts'
import { deriveFrom } from './key-secret.ts'

/* The access log: that nothing is missing in it, and what is wrong with one that somebody has changed (rules/audit#access-log). */
const maru = useMaru()
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows
const parts = () => ({
  pool: maru.database.pool,
  dataDir: maru.dataDir,
  seeds: maru.services.keySecret.logSeeds,
  seed: maru.services.keySecret.logSeed,
})
const headParts = () => ({
  ...parts(),
  keys: parts().seeds.map(signingKey),
  memory: new Map<string, KeptHead>(),
})
/** Accepts the rows as they are, as the operator's command does. */
const accept = () => acceptHeads(headParts())

async function problems(seeds = parts().seeds): Promise<string[]> {
  const found = []
  for await (const { problem } of verifyLog({ ...parts(), seeds })) if (problem !== '') found.push(problem)
  return found
}

/** Views a user's record `times` times in sequence, and signs the chain head. */
async function look(times: number) {
  const admin = await maru.createUser({ role: 'admin' })
  for (let n = 0; n < times; n += 1)
    expect((await maru.call(getUser, { userId: admin.userId }, admin)).status).toBe(200)
  await maru.services.accessLog.keepHeads()
}

/** Does something to the log as the owner, looks, and undoes it. */
async function afterwards(statements: string): Promise<string[]> {
  await owner(
    'create table saved as select * from access_log; create table saved_heads as select * from access_log_heads',
  )
  try {
    await owner(statements)
    return await problems()
  } finally {
    await owner(`delete from access_log; insert into access_log select * from saved; delete from access_log_heads;
      insert into access_log_heads select * from saved_heads; drop table saved, saved_heads`)
  }
}

/** Reads the attempted ID and the named users of the newest row. */
const newest = async () =>
  (await owner('select actor, subjects, named from access_log order by month desc, position desc limit 1'))[0]

/** Signs the newest month with rows as a process that has just started. */
const keepNewest = async () =>
  keepHead(
    headParts(),
    (await movingHeads(maru.database.pool)).find(({ position }) => position !== '0') ?? expect.unreachable(),
  )

/** The database on the page of the system. */
async function system() {
  const { data } = await maru.call(getSystem, {}, await maru.createUser({ role: 'admin' }))
  return data.parts.find(({ part }) => part === 'database') ?? expect.unreachable()
}

const grant = (name: 'grant' | 'revoke') =>
  owner(
    `${name} execute on function access_log_append(jsonb) ${name === 'grant' ? 'to' : 'from'} ${maru.database.role}`,
  )

const pastFile = () => join(maru.dataDir, 'access-log', 'heads', `${PAST_MONTH.slice(0, 7)}.json`)
const signedAs = (given: Partial<KeptHead> = {}) => signPast(maru.owner, maru.dataDir, parts().seeds, given)

describe('a log that nobody has changed', () => {
  test('re-signs only its own heads after the key secret changes (rules/keys#changed-secret)', async () => {
    await look(2)
    const [own = expect.unreachable()] = parts().seeds
    const [next, stranger] = ['n', 's'].map((letter) => deriveFrom(letter.repeat(32)).logSeed) as [
      Buffer,
      Buffer,
    ]
    expect(await problems([next, own])).toEqual([])
    const other = expect.stringContaining('signed with another key secret')
    await renewSignatures(maru.dataDir, [next, stranger])
    expect(await problems([next])).toContainEqual(other)
    await renewSignatures(maru.dataDir, [next, own])
    expect(await problems([next])).toEqual([])
    expect(await problems([own])).toContainEqual(other)
    await renewSignatures(maru.dataDir, [own, next])
    expect(await problems()).toEqual([])
  })

  test('stays valid with two concurrent servers, and writes the rows of calls in groups (rules/audit#access-log)', async () => {
    const twin = await maru.startTwin()
    const admin = await maru.createUser({ role: 'admin' })
    const [before] = await owner('select count(*)::int as n from access_log')
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? maru : twin).call(getUser, { userId: admin.userId }, admin),
      ),
    )
    const [after] = await owner(
      'select count(*)::int as n, count(distinct at)::int as groups from access_log',
    )
    expect(after.n - before.n).toBe(20)
    await maru.services.accessLog.keepHeads()
    expect(await problems()).toEqual([])
  })
})

describe('login IDs in the log (rules/audit#access-log)', () => {
  const entry = {
    act: 'login',
    call: login.path,
    actorId: null,
    address: '10.0.0.1',
    requestId: 'r',
    result: 'LOGIN_FAILED',
    detail: '',
    ids: [],
  } as const
  test.each([
    'null',
    'NULL',
    '{',
    '}',
    ',',
    'a,b',
    '"',
    '\\',
    "'",
    '',
    ' ',
    '{a,"b"}',
    '\n',
    '가나다',
    'x'.repeat(20),
  ])('stores %j to the letter', async (tried) => {
    await maru.services.accessLog.write({ ...entry, actor: tried, names: [tried, 'someone'] })
    expect(await newest()).toEqual({ actor: tried, subjects: [], named: [tried, 'someone'] })
    await maru.services.accessLog.keepHeads()
    expect(await problems()).toEqual([])
  })

  test.each(['{', '}', ',', '"', '\\', 'NULL', 'null', 'undefined', 'x'.repeat(20)])(
    'records a login without an account as %j',
    async (loginId) => {
      expect((await maru.call(login, { loginId, password: PASSWORD })).status).toBe(400)
      // A text that cannot be an ID may be a password in the wrong field, and is not stored (rules/audit#refusals).
      const isId = /^[a-z]/i.test(loginId)
      expect(await newest()).toMatchObject({ named: isId ? [loginId.toLowerCase()] : [] })
    },
  )

  test('names an account called null that is opened', async () => {
    const [admin, person] = [await maru.createUser({ role: 'admin' }), await maru.createUser()]
    await owner(`update users set login_id = 'null' where id = $1`, [person.id])
    expect((await maru.call(getUser, { userId: 'null' }, admin)).status).toBe(200)
    expect(await newest()).toMatchObject({ subjects: [person.id], named: [] })
    await owner(`update users set login_id = $2 where id = $1`, [person.id, person.userId])
  })

  test('verifies rows of earlier versions that hold NULL', async () => {
    await look(1)
    await owner(`do $$ declare h access_log_heads; begin
      select * into h from access_log_heads order by month desc limit 1;
      h.hash := sha256(h.hash || convert_to('[' || h.position + 1 || ',' || (extract(epoch from h.at) * 1000000)::bigint
        || ',"login","/x",null,"null","10.0.0.1","r","","",[],[null]]', 'UTF8'));
      insert into access_log values (h.month, h.position + 1, h.at, 'login', '/x', null, 'null', '10.0.0.1', 'r', '', '', '{}', '{null}', h.hash);
      update access_log_heads set position = h.position + 1, hash = h.hash where month = h.month; end $$`)
    await maru.services.accessLog.keepHeads()
    expect(await problems()).toEqual([])
  })
})

describe('a log that somebody has changed (rules/running#check-log)', () => {
  test.each([
    [
      'a row is changed',
      `update access_log set address = '10.9.9.9' where position = 2`,
      /^row 2 is not as it was written/,
    ],
    [
      'whose data it was is changed',
      `update access_log set subjects = '{}' where position = 2`,
      /^row 2 is not/,
    ],
    ['a row is taken out', `delete from access_log where position = 2`, /^row 2 is missing/],
    [
      'rows are taken out, and the others numbered anew',
      `delete from access_log where position = 2; update access_log set position = position + 999 where position > 2;
       update access_log set position = position - 1000 where position > 2`,
      /^row 2 is not as/,
    ],
    [
      'two rows change places',
      `update access_log set position = -1 where position = 2; update access_log set position = 2 where position = 3;
       update access_log set position = 3 where position = -1`,
      /^row 2 is not as/,
    ],
    [
      'a row is put in between',
      `insert into access_log select month, 0, at, act, call, actor_id, actor, address, request_id, result, detail, subjects, named, hash
         from access_log where position = 2`,
      /^row 1 is missing, or one was put before it/,
    ],
    [
      'a row is put at the end',
      `insert into access_log select month, position + 1, at, act, call, actor_id, actor, address, request_id, result, detail, subjects,
         named, hash from access_log order by position desc limit 1`,
      /is not as it was written/,
    ],
    [
      'its end is cut off, and the database told so',
      `delete from access_log where position > 2;
       update access_log_heads h set (position, hash) = (select position, hash from access_log where position = 2)`,
      /^it ends with row 2, and \d+ were signed/,
    ],
    [
      'its end is cut off',
      `delete from access_log where position > 2`,
      /^it ends with row 2, and \d+ were signed/,
    ],
    [
      'the month is emptied',
      'delete from access_log; delete from access_log_heads',
      /^it ends with row 0, and/,
    ],
    ['where it ends is forgotten', 'delete from access_log_heads', /does not know where it ends/],
    [
      'all of it is written anew, with hashes that fit',
      `create temporary table kept as select * from access_log; delete from access_log; delete from access_log_heads;
       do $$ declare one record; begin for one in select * from kept order by position loop
         perform access_log_append(jsonb_build_array(jsonb_build_array(replace(json_build_array(one.act, one.call, one.actor_id::text,
           'else', one.address, one.request_id, one.result, one.detail)::text, ', ', ','), one.subjects, one.named))); end loop; end $$`,
      /^up to row \d+ it is not what was signed/,
    ],
  ])('is found where %s', async (_what, statements, problem) => {
    await look(3)
    expect(await afterwards(statements)).toEqual([expect.stringMatching(problem)])
    expect(await problems()).toEqual([])
  })

  test('is not signed, and an end that was kept cannot be made up', async () => {
    await look(3)
    const { rows } = await maru.owner.query<{ month: string }>(
      'select month::text as month from access_log_heads',
    )
    const file = join(maru.dataDir, 'access-log', 'heads', `${rows[0]?.month.slice(0, 7)}.json`)
    const kept = await readFile(file, 'utf8')
    await owner(`create table saved as select * from access_log; delete from access_log where position > 1`)
    await owner(
      `update access_log_heads h set (position, hash) = (select position, hash from access_log where position = 1)`,
    )
    await look(1)
    expect(await readFile(file, 'utf8')).toBe(kept)
    expect(maru.log.some(({ msg }) => msg.includes('tampered with'))).toBe(true)
    const head = JSON.parse(kept) as object
    const [end] = await owner(`select position, encode(hash, 'hex') as hash from access_log_heads`)
    await writeFile(file, JSON.stringify({ ...head, ...end }))
    expect(await problems()).toEqual([expect.stringContaining('signed with another key secret')])
    rmSync(file)
    const missing = [expect.stringContaining('no signed head')]
    expect(await problems()).toEqual(missing)
    await maru.services.accessLog.keepHeads()
    expect([existsSync(file), await problems()]).toEqual([false, missing])
    // A process that starts now does not sign either.
    expect(await keepNewest()).toMatch(/^no signed head of/)
    expect(maru.services.accessLog.problems()).toEqual(['accessLogTampered'])
    expect((await system()).problems).toContain('accessLogTampered')
    expect(await accept()).toEqual([expect.stringContaining('no signed head')])
    expect(await problems()).toEqual([])
    await look(1)
    expect(await problems()).toEqual([])
    expect(maru.services.accessLog.problems()).not.toContain('accessLogTampered')
    await owner('drop table saved')
  })

  test('is not signed where the file was deleted or replaced while the server ran (rules/running#accept-log)', async () => {
    await look(3)
    const [{ month = '' } = {}] = await owner(
      'select month::text as month from access_log_heads order by month desc',
    )
    const file = join(maru.dataDir, 'access-log', 'heads', `${month.slice(0, 7)}.json`)
    const kept = await readFile(file, 'utf8')
    await look(2)
    const signed = await readFile(file, 'utf8')
    const rewrite = `delete from access_log where position > (select max(position) - 1 from access_log);
      update access_log_heads h set (position, hash) = (select position, hash from access_log order by position desc limit 1)`
    await owner(
      'create table saved as select * from access_log; create table saved_heads as select * from access_log_heads',
    )
    await owner(rewrite)
    for (const text of [undefined, kept]) {
      if (text === undefined) rmSync(file)
      // An earlier file of the same key: the process knows what it signed after it.
      else await writeFile(file, text)
      await look(3)
      expect(existsSync(file) ? await readFile(file, 'utf8') : undefined).toBe(text)
      expect(maru.services.accessLog.problems()).toContain('accessLogTampered')
    }
    await owner(`delete from access_log; insert into access_log select * from saved; delete from access_log_heads;
      insert into access_log_heads select * from saved_heads; drop table saved, saved_heads`)
    // A forged file, with the end of changed rows and no valid signature.
    const [end] = await owner(
      `select position, encode(hash, 'hex') as hash from access_log_heads order by month desc`,
    )
    await writeFile(file, JSON.stringify({ ...(JSON.parse(signed) as object), ...end, signature: '' }))
    expect(await keepNewest()).toMatch(/is damaged, or signed with another key secret$/)
    await writeFile(file, signed)
    await look(1)
    expect([maru.services.accessLog.problems(), await problems()]).toEqual([[], []])
  })

  test.each([
    ['is marked as archived', 'archived_at = now()', /a month of the last twelve never is$/],
    ['ends ahead of the clock', `at = at + interval '1 hour'`, /is ahead of the clock$/],
    ['ends before its last row', `at = at - interval '5 seconds'`, /an earlier time than its last row$/],
  ])('is reported and not signed if a month %s', async (_what, change, problem) => {
    await look(2)
    expect(await problems()).toEqual([])
    await owner('create table saved_heads as select * from access_log_heads')
    try {
      await owner(`update access_log_heads set ${change}`)
      const [present] = await owner('select month::text as month from access_log_heads order by month desc')
      const file = join(maru.dataDir, 'access-log', 'heads', `${present.month.slice(0, 7)}.json`)
      const kept = await readFile(file, 'utf8')
      await maru.services.accessLog.keepHeads()
      expect(maru.services.accessLog.problems()).toEqual(['accessLogTampered'])
      expect(await signatureProblems(headParts())).toEqual([expect.stringMatching(problem)])
      expect(await problems()).toEqual([expect.stringMatching(problem)])
      expect(await readFile(file, 'utf8')).toBe(kept)
    } finally {
      await owner(
        `delete from access_log_heads; insert into access_log_heads select * from saved_heads; drop table saved_heads`,
      )
    }
    await look(1)
    expect([await problems(), maru.services.accessLog.problems()]).toEqual([[], []])
  })

  test('is not signed if an end and its last row get another time than the signed one', async () => {
    await look(2)
    await owner(
      'create table saved_heads as select * from access_log_heads; create table saved as select * from access_log',
    )
    await owner(
      `update access_log_heads set at = at - interval '1 day'; update access_log set at = at - interval '1 day'`,
    )
    expect(await keepNewest()).toMatch(/another time than the one that was signed$/)
    await owner(`delete from access_log_heads; insert into access_log_heads select * from saved_heads;
      delete from access_log; insert into access_log select * from saved; drop table saved_heads, saved`)
    expect(await keepNewest()).toBe('')
  })

  describe('in a month that is over', () => {
    beforeEach(async () => {
      await look(1)
      await addPastRows(maru.owner, 2)
    })
    afterEach(async () => {
      await owner(`delete from access_log where month = '${PAST_MONTH}'`)
      await owner(`delete from access_log_heads where month = '${PAST_MONTH}'`)
      rmSync(pastFile(), { force: true })
      await maru.services.accessLog.keepHeads()
    })

    test('is not signed after added rows until the operator accepts them (rules/running#accept-log)', async () => {
      await signedAs()
      await maru.services.accessLog.keepHeads()
      expect([await problems(), maru.services.accessLog.problems()]).toEqual([[], []])
      const kept = await readFile(pastFile(), 'utf8')

      await addPastRows(maru.owner, 1)
      await maru.services.accessLog.keepHeads()
      expect(await readFile(pastFile(), 'utf8')).toBe(kept)
      expect(maru.services.accessLog.problems()).toEqual(['accessLogTampered'])
      expect((await system()).problems).toContain('accessLogTampered')
      const added = `rows were added to ${PAST_MONTH} after its end`
      expect(await signatureProblems(headParts())).toEqual([added])
      expect(await problems()).toEqual(['it has rows that were added after its end'])

      expect(await accept()).toEqual([added])
      await maru.services.accessLog.keepHeads()
      expect([await problems(), maru.services.accessLog.problems()]).toEqual([[], []])
    })

    test('is not reported any more once it is gone and was never signed', async () => {
      await maru.services.accessLog.keepHeads()
      expect(maru.services.accessLog.problems()).toEqual(['accessLogTampered'])
      await owner(`delete from access_log where month = '${PAST_MONTH}'`)
      await owner(`delete from access_log_heads where month = '${PAST_MONTH}'`)
      await maru.services.accessLog.keepHeads()
      expect(maru.services.accessLog.problems()).toEqual([])
    })

    test('stays reported once it is gone, if it was signed', async () => {
      await signedAs()
      await addPastRows(maru.owner, 1)
      await maru.services.accessLog.keepHeads()
      await owner(`delete from access_log where month = '${PAST_MONTH}'`)
      await owner(`delete from access_log_heads where month = '${PAST_MONTH}'`)
      await maru.services.accessLog.keepHeads()
      expect(maru.services.accessLog.problems()).toEqual(['accessLogTampered'])
    })

    test('is reported where a month that no server signs any more got rows', async () => {
      await signedAs()
      await addRows(maru.owner, '2025-06-01', '2025-06-05T00:00:00Z', 1)
      await accept()
      await signedAs()
      await addPastRows(maru.owner, 1)
      await maru.services.accessLog.keepHeads()
      expect(maru.services.accessLog.problems()).toEqual([])
      expect(await problems()).toEqual(['it has rows that were added after its end'])
      await owner(`delete from access_log where month = '2025-06-01'`)
      await owner(`delete from access_log_heads where month = '2025-06-01'`)
      rmSync(join(maru.dataDir, 'access-log', 'heads', '2025-06.json'))
    })

    test('is reported if signed after its end, but not if an earlier version did so', async () => {
      const late = { signedAt: '2025-06-01T00:00:00.000Z' }
      const problem = `${PAST_MONTH} was signed after its end`
      await signedAs(late)
      expect([await problems(), await signatureProblems(headParts())]).toEqual([[problem], [problem]])
      // The first minutes of the next month: servers sign the last rows.
      for (const given of [
        { ...late, at: undefined },
        { ...late, acceptedAt: late.signedAt },
        { signedAt: '2025-05-31T15:04:00.000Z' },
      ]) {
        await signedAs(given)
        expect([await problems(), await signatureProblems(headParts())]).toEqual([[], []])
      }
    })

    test('is signed until five minutes after its end', async () => {
      await signedAs()
      await addPastRows(maru.owner, 1)
      const head = (await movingHeads(maru.database.pool)).find(({ month }) => month === PAST_MONTH)
      if (head === undefined) return expect.unreachable()
      const signAt = (time: string) => keepHead(headParts(), head, new Date(time))
      expect(await signAt('2025-05-31T15:05:01Z')).toMatch(/^rows were added to/)
      expect(await signAt('2025-05-31T15:04:59Z')).toBe('')
      expect(await problems()).toEqual([])
    })
  })

  test('signs the next month before it has rows', async () => {
    const [next, present] = await movingHeads(maru.database.pool)
    expect(next?.position).toBe('0')
    const path = (month = '') => join(maru.dataDir, 'access-log', 'heads', `${month.slice(0, 7)}.json`)
    expect(JSON.parse(await readFile(path(next?.month), 'utf8'))).toMatchObject({ position: '0' })
    expect(Number(present?.position)).toBeGreaterThan(0)
  })

  test('has no row before another in time, though the clock is set back', async () => {
    await owner(`update access_log_heads set at = at + interval '1 second'`)
    await look(2)
    expect(await problems()).toEqual([])
    await owner(`update access_log_heads set at = at + interval '5 minutes'`)
    await look(1)
    expect(await problems()).toEqual(['its last row is ahead of the clock, which was set back'])
    await owner('delete from access_log; delete from access_log_heads')
    await accept()
  })
})

describe('a log that cannot be written', () => {
  afterEach(() => grant('grant'))

  test('refuses access to personal data until it can be written, then logs it (rules/audit#access-log)', async () => {
    const [admin, person] = [await maru.createUser({ role: 'admin' }), await maru.createUser()]
    await grant('revoke')
    // The first one finds out; the next is refused before anything is done.
    const made = await maru.call(
      suspendUser,
      { userId: person.userId, suspendedFor: 'LEAVE', reason: '' },
      admin,
    )
    expect([made.code, made.headers['retry-after']]).toEqual(['UNAVAILABLE', '5'])
    expect((await maru.call(getUser, { userId: person.userId }, admin)).code).toBe('UNAVAILABLE')
    const loginId = person.userId
    expect((await maru.call(login, { loginId, password: PASSWORD })).code).toBe('UNAVAILABLE')
    await grant('grant')
    await expect
      .poll(async () => (await maru.call(getUser, { userId: person.userId }, admin)).status)
      .toBe(200)
    const rows = await owner('select call, subjects from access_log where actor_id = $1 order by position', [
      admin.id,
    ])
    expect(rows).toEqual([
      { call: suspendUser.path, subjects: [person.id] },
      { call: getUser.path, subjects: [person.id] },
    ])
  })

  test('is tried again without a row, which leaves its signed end as it is', async () => {
    await look(1)
    const admin = await maru.createUser({ role: 'admin' })
    await grant('revoke')
    expect((await maru.call(getUser, { userId: admin.userId }, admin)).code).toBe('UNAVAILABLE')
    await grant('grant')
    await expect.poll(() => maru.services.accessLog.problems()).toEqual([])
    await maru.services.accessLog.keepHeads()
    expect([maru.services.accessLog.problems(), await problems()]).toEqual([[], []])
  })
})

describe('months', () => {
  test('archives expired months into files and reads back every row (rules/running#check-log)', async () => {
    await owner('delete from access_log; delete from access_log_heads')
    await accept()
    await addRows(maru.owner, '2024-03-01', '2024-03-05T00:00:00Z', 3)
    await maru.services.accessLog.keepHeads()
    expect(await problems()).toEqual(['no signed head of it is kept in DATA_DIR'])
    await expect(archiveMonths({ ...parts(), months: 24 })).rejects.toThrow('stays in the database')
    await accept()
    expect(await problems()).toEqual([])
    const { pool } = maru.database
    expect(await archiveMonths({ ...parts(), months: 120 })).toEqual([])
    expect(await archiveMonths({ ...parts(), months: 24 })).toEqual(['2024-03-01'])
    expect(await owner('select count(*)::int as n from access_log')).toEqual([{ n: 0 }])
    const lines = []
    for await (const line of linesOfArchive(maru.dataDir, '2024-03-01')) lines.push(line)
    expect(lines).toHaveLength(3)
    expect(await problems()).toEqual([])
    expect(await archiveMonths({ ...parts(), months: 24 })).toEqual([])
    // The application role cannot drop months that the law requires to be kept.
    const [month] = (await pool.query('select month::text as month, position, hash from access_log_heads'))
      .rows
    await look(1)
    await expect(
      pool.query(
        `select access_log_drop(month, position, hash) from access_log_heads where month <> '2024-03-01'`,
      ),
    ).rejects.toThrow('is kept')
    expect(month).toMatchObject({ month: '2024-03-01' })
    // An erased month loses its file at the next run, and its check expects none (rules/retention#kinds).
    const file = join(maru.dataDir, 'access-log', '2024-03.jsonl.zst')
    const kept = readFileSync(file)
    await pool.query('select access_log_erase(24)')
    expect(await archiveMonths({ ...parts(), months: 24 })).toEqual([])
    expect([existsSync(file), await problems()]).toEqual([false, []])
    // A mark on a young month, set by the owner of the database, hides nothing.
    await owner(
      `update access_log_heads set erased_at = now(), hash = hash || 'x' where month > '2024-03-01'`,
    )
    expect(await problems()).not.toEqual([])
    await owner(`update access_log_heads set hash = substring(hash for 32) where month > '2024-03-01'`)
    await owner('update access_log_heads set erased_at = null')
    writeFileSync(file, kept)
    expect(await problems()).toEqual([])
    rmSync(join(maru.dataDir, 'access-log', '2024-03.jsonl.zst'))
    expect(await problems()).toEqual([expect.stringContaining('neither in the database nor in a file')])
    await owner(`delete from access_log_heads where month = '2024-03-01'`)
    rmSync(join(maru.dataDir, 'access-log', 'heads', '2024-03.json'))
  })
})

test('logs every data subject of an export before it is sent (rules/audit#access-log)', async () => {
  const admin = await maru.createUser({ role: 'admin' })
  const people = [await maru.createUser({ name: '수출이' }), await maru.createUser({ name: '수출이' })]
  const listed = await maru.call(listUsers, { name: '수출이' }, admin)
  expect(listed.data.totalCount).toBe(2)
  const file = await maru.call(exportUsers, { name: '수출이', format: 'csv', reason: '점검' }, admin)
  expect(file.status).toBe(200)
  const rows = await owner(
    'select act, detail, subjects from access_log where actor_id = $1 order by position',
    [admin.id],
  )
  const ids = people.map(({ id }) => id)
  expect(rows.map(({ act, detail, subjects }) => [act, detail, subjects.toSorted()])).toEqual([
    ['search', 'name', ids],
    ['export', 'name', []],
    ['export', 'name', ids],
  ])
  expect(await rowsOfMonth(maru.database.pool, '1999-01-01').next()).toMatchObject({ done: true })
})
