import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from '../../server/db/open.ts'
import { onDatabase, onServer } from './database.ts'

/** Creates an empty database on the server of the tests, opened as its owner. `close` drops it. */
export async function createEmptyDatabase(): Promise<OpenDatabase> {
  const server = inject('server')
  const name = `maru_test_${randomUUID().replaceAll('-', '')}`
  await onServer(
    server,
    `create database ${name} encoding 'UTF8' template template0 lc_collate 'C' lc_ctype 'C.UTF-8'`,
  )
  const database = await openDatabase(
    { ...onDatabase(server, name), ...NO_TIME_LIMIT, application_name: 'maru-operator' },
    () => {},
  )
  /** Closes the pools and drops the database. */
  async function close() {
    await database.close()
    await onServer(server, `drop database ${name} with (force)`)
  }
  return { ...database, close, [Symbol.asyncDispose]: close }
}
