import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase, type OpenDatabase } from '../db/open.ts'
import { onDatabase, TEMPLATE_DATABASE } from './database.ts'

/** A copy of the template database that nobody else uses. */
export interface OwnDatabase {
  database: OpenDatabase
  /** Another pool on it, as a second server would have; close it before `drop`. */
  openAgain(): Promise<OpenDatabase>
  drop(): Promise<void>
}

/** Copies the template database and opens the copy. */
export async function createOwnDatabase(): Promise<OwnDatabase> {
  const server = inject('server')
  const name = `maru_test_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name} template ${TEMPLATE_DATABASE}`)
  const openAgain = () => openDatabase({ ...onDatabase(server, name), max: 8 }, () => {})
  const database = await openAgain()
  return {
    database,
    openAgain,
    async drop() {
      await database.close()
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

async function onServer(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}
