import { type Kysely, sql } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../../db/types.ts'
import type { OpenLink } from '../../http/file-links.ts'
import { fileAnswer } from './file-content.ts'
import { findFileById } from './file-queries.ts'

/** A link is followed at once or never. */
const USE_WITHIN_SECONDS = 60

/** How long a download that broke off may be gone on with, by the address that began it. */
const GO_ON_SECONDS = 3_600

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Makes a link to a file for a session; ends with the session and with the file. @returns 256 random bits */
export async function makeLink(db: Kysely<Database>, fileId: string, sessionHash: Buffer): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('file_links')
    .values({ token_hash: hashOf(token), file_id: fileId, session_hash: sessionHash })
    .execute()
  return token
}

/**
 * Uses a link up. A download manager that lost the connection may go on where it was, from the same address; from
 * the beginning nobody gets it twice.
 */
export const openLink: OpenLink = async ({ db, services }, { token, address, goesOn }) => {
  const fresh = await db
    .updateTable('file_links')
    .set({ used_at: sql`now()`, used_address: address })
    .where('token_hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${USE_WITHIN_SECONDS})`)
    .returning(['file_id', 'session_hash'])
    .executeTakeFirst()
  const link = fresh ?? (goesOn ? await findUsedLink(db, token, address) : undefined)
  if (link === undefined) return null
  const { file_id, session_hash } = link
  return {
    sessionHash: session_hash,
    isForTheRest: fresh === undefined,
    async file(actor) {
      const file = await findFileById(db, actor, file_id)
      return file === undefined ? null : fileAnswer({ db, services }, file)
    },
  }
}

async function findUsedLink(db: Kysely<Database>, token: string, address: string) {
  return db
    .selectFrom('file_links')
    .select(['file_id', 'session_hash'])
    .where('token_hash', '=', hashOf(token))
    .where('used_address', '=', address)
    .where('used_at', '>', sql<Date>`now() - make_interval(secs => ${GO_ON_SECONDS})`)
    .executeTakeFirst()
}
