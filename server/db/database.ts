import type { Kysely, Transaction } from 'kysely'
import type { Database } from './types.ts'

/** The database, or a transaction of it. */
export type Db = Kysely<Database>

/** A transaction of the database. */
export type Tx = Transaction<Database>
