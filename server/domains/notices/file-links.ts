import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { API_BASE } from '../../../contract/envelope.ts'
import { refuse } from '../../../contract/errors.ts'
import { downloadFile, FILE_LINKS_PATH, type linkFile } from '../../../contract/notices.ts'
import { refusing } from '../../db/constraints.ts'
import type { Database } from '../../db/types.ts'
import { addressOf } from '../../http/address.ts'
import { answerFile, rangeOf } from '../../http/file-answer.ts'
import type { Handler } from '../../http/handler.ts'
import { allowed } from '../../http/callers.ts'
import type { MountOptions } from '../../http/mount.ts'
import { holdPlace } from '../../http/places.ts'
import { findSessionByHash } from '../../http/sessions.ts'
import { findFile, findFileById } from './file-queries.ts'
import { fileAnswer } from './files.ts'

/** How long a link may wait to be followed. */
const USE_WITHIN_SECONDS = 60

/** How long a broken download can be resumed, from the address that began it. */
const GO_ON_SECONDS = 3_600

const hashOf = (token: string) => createHash('sha256').update(token).digest()

const ago = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`

/**
 * Makes a link to a file for a session; it ends with the session and with the file. A missing file is refused here,
 * because the browser's download manager would not show our message.
 */
export const link: Handler<typeof linkFile> = async (call, input) => {
  const { db, services, actor } = call
  const find = () => findFile(db, actor, input.storedPath, input.storedName)
  const file = (await call.inTurn(find)) ?? refuse('FILE_NOT_FOUND')
  const size = await services.storage.sizeOf({ path: file.save_path, name: file.save_file_name })
  if (size === null) refuse('FILE_NOT_FOUND')
  const token = randomBytes(32).toString('base64url')
  const row = { token_hash: hashOf(token), file_id: file.id, session_hash: actor.tokenHash }
  // Either may have gone while the storage was asked.
  const gone = {
    file_links_session_hash_fkey: 'SESSION_REQUIRED',
    file_links_file_id_fkey: 'FILE_NOT_FOUND',
  } as const
  await refusing(gone, () => call.inTurn(() => db.insertInto('file_links').values(row).execute()))
  return { url: `${API_BASE}${FILE_LINKS_PATH}/${token}` }
}

/**
 * Mounts the download by link (ADR 016): GET, without a header, so that the browser's own download manager keeps the
 * file. The link alone opens it, once, and only while the session that it was made in may download.
 */
export function mountFileLinks(app: FastifyInstance, options: MountOptions): void {
  const { db, pool, services, admission } = options
  const find = async (request: FastifyRequest) => {
    const { session_hash, file_id, isResumed } = await useLink(db, request)
    const found = await findSessionByHash(pool, services.config.session, session_hash)
    const session = await holdPlace(request, found, { db, settings: services.settings })
    const row = await findFileById(db, allowed(downloadFile, session), file_id)
    return { row: row ?? refuse('FILE_NOT_FOUND'), isResumed }
  }
  app.route({
    method: 'GET',
    url: `${API_BASE}${FILE_LINKS_PATH}/:token`,
    // HEAD must not use the link up.
    exposeHeadRoute: false,
    async handler(request, reply) {
      const { row, isResumed } = await admission.inTurn(request, downloadFile, () => find(request))
      const file = fileAnswer(options, row)
      // A range that cannot be taken as one would be answered with the whole file.
      if (isResumed && rangeOf(request, file) === undefined) refuse('FILE_LINK_INVALID')
      return answerFile(request, reply, file)
    },
  })
}

/**
 * Uses a link up. A download manager that lost the connection may go on from the same address, but never from the
 * beginning: nobody gets the whole file twice.
 */
async function useLink(db: Kysely<Database>, request: FastifyRequest) {
  const { token } = request.params as { token: string }
  const address = addressOf(request)
  const fresh = await db
    .updateTable('file_links')
    .set({ used_at: sql`now()`, used_address: address })
    .where('token_hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('created_at', '>', ago(USE_WITHIN_SECONDS))
    .returning(['file_id', 'session_hash'])
    .executeTakeFirst()
  if (fresh !== undefined) return { ...fresh, isResumed: false }
  // The beginning of the file is there already.
  if (!/^bytes=[1-9]\d*-/.test(request.headers.range ?? '')) refuse('FILE_LINK_INVALID')
  const used = await db
    .selectFrom('file_links')
    .select(['file_id', 'session_hash'])
    .where('token_hash', '=', hashOf(token))
    .where('used_address', '=', address)
    .where('used_at', '>', ago(GO_ON_SECONDS))
    .executeTakeFirst()
  return { ...(used ?? refuse('FILE_LINK_INVALID')), isResumed: true }
}

/** Removes the links that nobody can go on with any more. */
export async function removeOldLinks(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from file_links where created_at < now() - interval '2 hours'`)
}
