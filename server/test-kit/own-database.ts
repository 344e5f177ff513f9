import { inject } from 'vitest'
import { openDatabase, type OpenDatabase } from '../db/open.ts'
import { cloneTemplate, onDatabase } from './database.ts'
import { TEMPLATE_DATABASE } from './global-setup.ts'

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
  const { name, drop } = await cloneTemplate(server, TEMPLATE_DATABASE)
  const openAgain = () => openDatabase({ ...onDatabase(inject('reached'), name), max: 8 }, () => {})
  const database = await openAgain()
  return {
    database,
    openAgain,
    async drop() {
      await database.close()
      await drop()
    },
  }
}
