import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { BULLET, createNotice } from '../../contract/notices.ts'
import { type PatroniCluster, startPatroni } from '../test-kit/cluster/patroni.ts'
import { onDatabase, onServer } from '../test-kit/database.ts'
import { portalAt, RefusedError } from '../test-kit/portal.ts'
import { startProgram } from '../test-kit/program.ts'

/* A primary with a synchronous standby under Patroni; the primary dies while people write (rules/running#several-hosts). */

let cluster: PatroniCluster
let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maru-failover-'))
  cluster = await startPatroni(process.env['POSTGRES_HOME'] ?? '/usr/lib/postgresql/15')
})

afterEach(async () => {
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})

const PASSWORD = 'a-Good-One-2026'
const PEOPLE = 4

test('when the primary dies, no acknowledged write is lost and the portal is back within 30 s by itself', async () => {
  await onServer(
    await cluster.primary(),
    `create database maru template template0 encoding 'UTF8' locale 'C.UTF-8'`,
  )
  const maru = startProgram(folder, {
    DATA_DIR: folder,
    DATABASE_URL: cluster.url,
    ADMIN_PASSWORD: PASSWORD,
    WORKERS: '2',
  })
  const port = Number(new URL(await maru.url).port)
  const { sessionUid } = await portalAt(port, '').call(login, { loginId: 'admin', password: PASSWORD })
  const portal = portalAt(port, sessionUid)

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

  const client = new pg.Client(onDatabase(await cluster.primary(), 'maru'))
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from notices')
  await client.end()
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
