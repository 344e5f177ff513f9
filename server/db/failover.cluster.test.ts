import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { exportKeys, getKeyStatistics, listKeys } from '../../contract/keys.ts'
import { BULLET, createNotice } from '../../contract/notices.ts'
import { type PatroniCluster, startPatroni } from '../test-kit/cluster/patroni.ts'
import { freePort } from '../test-kit/cluster/programs.ts'
import { onDatabase, onServer, urlOf } from '../test-kit/database.ts'
import { type Portal, portalAt, RefusedError } from '../test-kit/portal.ts'
import { type Program, startProgram } from '../test-kit/program.ts'

/* A primary with a synchronous standby under Patroni; the primary dies while people write (rules/running#several-hosts). */

let cluster: PatroniCluster
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maru-failover-'))
  cluster = await startPatroni(process.env['POSTGRES_HOME'] ?? '/usr/lib/postgresql/15')
  await onServer(
    await cluster.primary(),
    `create database maru template template0 encoding 'UTF8' locale 'C.UTF-8'`,
  )
})

afterAll(async () => {
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})

const PASSWORD = 'a-Good-One-2026'
const PEOPLE = 4
const AWAY = 'the read replica is away or late'
/** Issues a key without asking anybody. */
const KEY = `with p as (
    insert into partners (code, type, affiliation_code, province_code, province_name, district_name, x, y)
    values (upper(left(md5(random()::text), 10)), 'pa', 'BEL001', '29', '광주광역시', '서구', 126.8, 35.1) returning id
  )
  insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
  select u.id, md5(random()::text), p.id, 'BEL001', '광주광역시', '서구' from p, users u where u.login_id = 'admin'`

/** Maru on the cluster, and what its first administrator does there. */
async function start(env: Record<string, string>): Promise<{ maru: Program; portal: Portal }> {
  const maru = startProgram(folder, {
    DATA_DIR: folder,
    DATABASE_URL: cluster.url,
    ADMIN_PASSWORD: PASSWORD,
    ...env,
  })
  const port = Number(new URL(await maru.url).port)
  const { sessionUid } = await portalAt(port, '').call(login, { loginId: 'admin', password: PASSWORD })
  return { maru, portal: portalAt(port, sessionUid) }
}

const ask = async (where: pg.ClientConfig, text: string): Promise<unknown[]> => {
  const client = new pg.Client(onDatabase(where, 'maru'))
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('a replica answers charts, history and exports, and only when nobody misses an own write (rules/running#read-replica)', async () => {
  const [primary, standby] = await Promise.all([cluster.primary(), cluster.standby()])
  const { maru, portal } = await start({ DATABASE_READ_URL: urlOf(onDatabase(standby, 'maru')) })
  const sessions = (application: string) =>
    ask(standby, `select from pg_stat_activity where application_name = '${application}' and query <> ''`)
  for (let n = 1; n <= 20; n++) {
    await ask(primary, KEY)
    expect((await portal.call(getKeyStatistics, {})).totalCount).toBe(n)
  }
  expect(await sessions("maru reads' and query like '%key_region_totals%")).not.toEqual([])
  await portal.call(exportKeys, { format: 'csv', reason: '점검' }).catch(() => 'a file, not an envelope')
  expect(await sessions('maru long reads')).not.toEqual([])

  // Not pg_wal_replay_pause(), which Patroni ends when it sees it.
  const [replay] = (await ask(
    standby,
    `select pid from pg_stat_activity where backend_type = 'startup'`,
  )) as { pid: number }[]
  const stopped = Number(replay?.pid)
  process.kill(stopped, 'SIGSTOP')
  try {
    await ask(primary, KEY)
    expect((await portal.call(getKeyStatistics, {})).totalCount).toBe(21)
    expect((await portal.call(listKeys, {})).totalCount).toBe(21)
    await expect.poll(() => maru.text()).toContain(AWAY)
  } finally {
    process.kill(stopped, 'SIGCONT')
  }
  const isBack = async () => {
    await portal.call(getKeyStatistics, {})
    return maru.text().lastIndexOf('the read replica is back') > maru.text().lastIndexOf(AWAY)
  }
  await expect.poll(isBack).toBe(true)
  maru.process.kill('SIGTERM')
  expect(await maru.ended).toBe(0)
})

test('a replica that cannot be reached is said at the start and in one line of the log, and the primary answers', async () => {
  const { maru, portal } = await start({
    DATABASE_READ_URL: `postgres://postgres@127.0.0.1:${await freePort()}/maru`,
  })
  expect(maru.text()).toMatch(/^WARNING: DATABASE_READ_URL: [^\n]+$/m)
  for (let times = 0; times < 3; times++) await portal.call(getKeyStatistics, {})
  await expect.poll(() => maru.text().split(AWAY).length).toBe(2)
  maru.process.kill('SIGTERM')
  expect(await maru.ended).toBe(0)
})

test('when the primary dies, no acknowledged write is lost and the portal is back within 30 s by itself', async () => {
  const { maru, portal } = await start({ WORKERS: '2' })

  const acknowledged: { id: string; at: number }[] = []
  const refused: unknown[] = []
  const over = new AbortController()
  const people = Array.from({ length: PEOPLE }, async (_, person) => {
    for (let n = 0; !over.signal.aborted; n++) {
      try {
        const notice = { bulletCode: BULLET.notice, title: `${person} ${n}`, memo: '' } as const
        const { noticeId } = await portal.call(createNotice, notice)
        acknowledged.push({ id: noticeId, at: performance.now() })
      } catch (error) {
        refused.push(error instanceof RefusedError ? `${error.status} ${error.code}` : error)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  })
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50)
  await cluster.killPrimary()
  const killed = performance.now()
  const after = () => acknowledged.filter(({ at }) => at > killed + 500)
  await expect.poll(() => after().length, { interval: 100 }).toBeGreaterThan(50)
  over.abort()
  await Promise.all(people)
  const seconds = ((after()[0]?.at ?? Infinity) - killed) / 1000

  const rows = (await ask(await cluster.primary(), 'select id from notices')) as { id: string }[]
  const found = new Set(rows.map(({ id }) => id))
  process.stdout.write(
    `failover: back after ${seconds.toFixed(1)} s; ${acknowledged.length} writes acknowledged, all of them found: ${acknowledged.every(({ id }) => found.has(id))}; ${refused.length} refused\n`,
  )
  expect(acknowledged.filter(({ id }) => !found.has(id))).toEqual([])
  expect(seconds).toBeLessThan(30)
  expect(new Set(refused)).toEqual(new Set(['503 UNAVAILABLE']))
  maru.process.kill('SIGTERM')
  expect(await maru.ended).toBe(0)
})
