import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { createNotice } from '../../contract/notices.ts'
import { startHaproxy } from '../../dev/test-kit/cluster/haproxy.ts'
import { type Nginx, startNginx } from '../../dev/test-kit/cluster/nginx.ts'
import { type PatroniCluster, startPatroni } from '../../dev/test-kit/cluster/patroni.ts'
import { startWriters } from '../../dev/test-kit/cluster/writers.ts'
import { onDatabase, onServer } from '../../dev/test-kit/database.ts'
import { type Portal, portalAt } from '../../dev/test-kit/portal.ts'
import { type Program, startProgram } from '../../dev/test-kit/program.ts'

/* Two copies behind nginx; their database is a primary with a synchronous standby under Patroni, behind HAProxy. */

let cluster: PatroniCluster
let haproxy: Awaited<ReturnType<typeof startHaproxy>>
let nginx: Nginx
let folder: string
let copies: Program[]
let portal: Portal

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maru-failover-'))
  cluster = await startPatroni(process.env['POSTGRES_HOME'] ?? '/usr/lib/postgresql/15')
  haproxy = await startHaproxy(cluster.nodes)
  await onServer(
    await cluster.primary(),
    `create database maru template template0 encoding 'UTF8' locale 'C.UTF-8'`,
  )
  copies = [startCopy(), startCopy()]
  nginx = await startNginx(...(await Promise.all(copies.map(portOf))))
  const { sessionUid } = await portalAt(nginx.openPort, '').call(login, {
    loginId: 'admin',
    password: PASSWORD,
  })
  portal = portalAt(nginx.openPort, sessionUid)
})

afterAll(async () => {
  for (const { process, ended } of copies) {
    process.kill('SIGTERM')
    await ended
  }
  await nginx.stop()
  await haproxy.stop()
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})

const PASSWORD = 'a-Good-One-2026'

const startCopy = (env: Record<string, string> = {}) =>
  startProgram(folder, {
    DATA_DIR: folder,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${haproxy.port}/maru`,
    TRUST_PROXY: 'loopback',
    ADMIN_PASSWORD: PASSWORD,
    ...env,
  })

const portOf = async ({ url }: Program) => Number(new URL(await url).port)

/**
 * Lets people write through nginx, breaks something when all of them have, and goes on until they have written again.
 * @returns what was refused, and seconds without an answered write
 */
async function whileWriting(breakSomething: () => Promise<void>) {
  const { acknowledged, refused, stop } = startWriters(portal)
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50)
  await breakSomething()
  const broken = performance.now()
  const after = () => acknowledged.filter(({ at }) => at > broken + 500)
  await expect.poll(() => after().length, { interval: 100 }).toBeGreaterThan(50)
  await stop()
  const seconds = ((after()[0]?.at ?? Infinity) - broken) / 1000

  const client = new pg.Client(onDatabase(await cluster.primary(), 'maru'))
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from notices')
  await client.end()
  const stored = new Set(rows.map(({ id }) => id))
  const lost = acknowledged.filter(({ id }) => !stored.has(id))
  process.stdout.write(
    `back after ${seconds.toFixed(1)} s; ${lost.length} of ${acknowledged.length} acknowledged writes lost; ${refused.length} refused\n`,
  )
  expect(lost).toEqual([])
  return { seconds, refused: new Set(refused) }
}

test('shares calls and sessions between two copies, and survives the loss of one (rules/running#several-copies)', async () => {
  const [dying, other] = copies as [Program, Program]
  const port = await portOf(dying)
  const { refused } = await whileWriting(async () => {
    for (const copy of copies) {
      const metrics = await (await fetch(`http://127.0.0.1:${await portOf(copy)}/metrics`)).text()
      expect(metrics).toContain(`_count{route="${API_BASE}${createNotice.path}",status="200"}`)
    }
    dying.process.kill('SIGKILL')
    await dying.ended
  })
  // Calls that had reached the copy when it died. nginx gives every other call to the copy that lives.
  for (const each of refused) expect(each).toBe('502 undefined')
  expect(other.process.exitCode).toBeNull()
  copies[0] = startCopy({ PORT: String(port) })
  await copies[0].url
})

test('loses no acknowledged write in a failover and recovers within 30 s (rules/running#failover)', async () => {
  const { seconds, refused } = await whileWriting(() => cluster.killPrimary())
  expect(seconds).toBeLessThan(30)
  expect(refused).toEqual(new Set(['503 UNAVAILABLE']))
})
