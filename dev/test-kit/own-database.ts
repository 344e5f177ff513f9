import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase, type OpenDatabase } from '../../server/db/open.ts'
import { cloneTemplate, onDatabase } from './database.ts'
import { TEMPLATE_DATABASE } from './global-setup.ts'

/** A separate copy of the template database. */
export interface OwnDatabase {
  /** Database as Maru opens it, with the application role. */
  database: OpenDatabase
  /** Pool of the tables' owner, who may do more than the portal: change the tables and the audit log. */
  owner: pg.Pool
  /** Opens another pool on the database, as a second server does. Close it before `drop`. */
  openAgain(): Promise<OpenDatabase>
  /** Closes the pools and drops the database. */
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
