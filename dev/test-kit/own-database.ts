import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase, type OpenDatabase } from '../../server/db/open.ts'
import { cloneTemplate, onDatabase } from './database.ts'
import { TEMPLATE_DATABASE } from './global-setup.ts'

/** A copy of the template database that nobody else uses. */
export interface OwnDatabase {
  /** As Maru has it: of the role that serves. */
  database: OpenDatabase
  /** Of the owner of the tables, who may do what the portal may not: change them, and the audit trail. */
  owner: pg.Pool
  /** Another pool on it, as a second server would have; close it before `drop`. */
  openAgain(): Promise<OpenDatabase>
  drop(): Promise<void>
}

/** Copies the template database and opens the copy. */
export async function createOwnDatabase(): Promise<OwnDatabase> {
  const server = inject('server')
  const { name, drop } = await cloneTemplate(server, TEMPLATE_DATABASE)
  const openAgain = () => openDatabase({ ...onDatabase(inject('reached'), name), max: 8 }, () => {})
  const database = await openAgain()
  const owner = new pg.Pool({ ...onDatabase(server, name), max: 2 })
  // The test may end its connections.
  owner.on('error', () => {})
  return {
    database,
    owner,
    openAgain,
    async drop() {
      await Promise.all([database.close(), owner.end()])
      await drop()
    },
  }
}
