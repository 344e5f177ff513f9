import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Bouncer, startPgBouncer } from '../test-kit/cluster/pgbouncer.ts'
import { freePort } from '../test-kit/cluster/programs.ts'
import { onServer } from '../test-kit/database.ts'
import { connectionOf } from './hosts.ts'
import { openDatabase } from './open.ts'

/* Several hosts of which one takes writes (rules/running#several-hosts, ADR 044); PgBouncer stands for a host. */

let name: string
let bouncer: Bouncer

beforeEach(async () => {
  name = `maru_test_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('server'), `create database ${name} encoding 'UTF8' template template0`)
  bouncer = await startPgBouncer(inject('server'), 2)
})

afterEach(async () => {
  await bouncer.stop()
  await onServer(inject('server'), `drop database ${name} with (force)`)
})

test('a host that became a standby is left at its first refused write, and found again when it takes writes', async () => {
  const dead = await freePort()
  const { port, user } = bouncer.connection
  const database = await openDatabase(
    connectionOf(`postgres://${user}@127.0.0.1:${dead},127.0.0.1:${port}/${name}`),
    () => {},
  )
  const write = () =>
    sql`create table written_${sql.raw(String(tables++))} ()`.execute(database.db).then(
      () => 'written',
      (error: { code?: string }) => error.code,
    )
  let tables = 0
  const become = async (isStandby: boolean) => {
    await onServer(
      inject('server'),
      `alter database ${name} set default_transaction_read_only = ${isStandby}`,
    )
    await bouncer.reconnect()
  }
  expect(await write()).toBe('written')
  const { totalCount } = database.pool
  await become(true)
  expect(await write()).toBe('25006')
  expect(database.pool.totalCount).toBe(totalCount - 1)
  expect(await write()).toBe('08001')
  await become(false)
  expect(await write()).toBe('written')
  await database.close()
})
