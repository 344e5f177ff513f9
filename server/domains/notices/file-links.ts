import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { API_BASE } from '../../../contract/envelope.ts'
import { refuse } from '../../../contract/errors.ts'
import { downloadFile, FILE_LINKS_PATH, type linkFile } from '../../../contract/notices.ts'
import type { Db } from '../../db/database.ts'
import { addressOf } from '../../callers/client-address.ts'
import { answerFile, rangeOf } from '../../http/file-response.ts'
import type { Handler } from '../../http/handler.ts'
import { requireAccess } from '../../http/authorize.ts'
import type { MountOptions } from '../../http/mount.ts'
import { checkSessionBinding } from '../../callers/session-binding.ts'
import { findSession } from '../../callers/sessions.ts'
import { countDownload, findFile, findFileById, insertLink, RESUME_SECONDS } from './file-queries.ts'
import { fileAnswer } from './files.ts'

/** Seconds until an unused link expires. */
const USE_WITHIN_SECONDS = 60

/** Returns the SHA-256 of a link's token, which is stored instead of it. */
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Returns the SQL expression for the time a number of seconds ago. */
const ago = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`

/**
 * Creates a link that downloads an attached file once (GET, within USE_WITHIN_SECONDS), and returns its URL.
 * Stores only a hash of its token. The link ends with the caller's session and with the file. A file that is
 * missing in the storage is refused here, because the browser's download manager would not show the message.
 * @throws {Refusal} FILE_NOT_FOUND, also if the caller may not see the notice; SESSION_REQUIRED if the session
 * ended meanwhile
 */
export const link: Handler<typeof linkFile> = async (call, input) => {
  const { db, services, actor } = call
  const find = () => findFile(db, actor, input.storedPath, input.storedName)
  const file = (await call.inTurn(find)) ?? refuse('FILE_NOT_FOUND')
  const size = await services.storage.sizeOf({ path: file.savePath, name: file.saveFileName })
  if (size === null) refuse('FILE_NOT_FOUND')
  const token = randomBytes(32).toString('base64url')
  const row = { tokenHash: hashOf(token), fileId: file.id, sessionHash: actor.tokenHash }
  // The session or the file may have been deleted while the storage answered.
  await call.inTurn(() => insertLink(db, row))
  return { url: `${API_BASE}${FILE_LINKS_PATH}/${token}` }
}

/**
 * Mounts GET of a link (design/uploads-and-files#downloads), without a session header, so that the browser's
 * download manager can store the file. The link works once, while its session is valid and may see the notice;
 * that use counts as a download. The same address may resume it within RESUME_SECONDS.
 * Refusals: FILE_LINK_INVALID, FILE_NOT_FOUND, and those of the session.
 */
export function mountFileLinks(app: FastifyInstance, options: MountOptions): void {
  const { db, pool, services, admission } = options
  /** Returns the file of a request's link, and marks the link as used unless the download is resumed. */
  const find = async (request: FastifyRequest) => {
    const { sessionHash, fileId, isResumed } = await findLink(db, request)
    const linked = { request, tokenHash: sessionHash }
    const found = await findSession(pool, services.settings.session(), linked)
    const session = found && (await checkSessionBinding(request, found, { db, settings: services.settings }))
    if (typeof session === 'string') return refuse(session)
    const row = await findFileById(db, requireAccess(downloadFile, session), fileId)
    if (row === undefined) return refuse('FILE_NOT_FOUND')
    // Only after the check, so that a request without the session's cookie does not use up the link.
    if (!isResumed) await useLink(db, request)
    return { row, isResumed }
  }
  app.route({
    method: 'GET',
    url: `${API_BASE}${FILE_LINKS_PATH}/:token`,
    // HEAD must not use up the link.
    exposeHeadRoute: false,
    async handler(request, reply) {
      const { row, isResumed } = await admission.inTurn(request, downloadFile, () => find(request))
      // A link works once, so its first bytes count as the download, whatever their range.
      const file = fileAnswer(options, row, async () => {
        if (!isResumed) await countDownload(db, row.id)
      })
      // An invalid range would be answered with the whole file.
      if (isResumed && rangeOf(request, file) === undefined) refuse('FILE_LINK_INVALID')
      return answerFile(request, reply, file)
    },
  })
}

/** Returns the hash of the token in the URL of a request. */
const tokenHashOf = (request: FastifyRequest) => hashOf((request.params as { token: string }).token)

/**
 * Returns the link of a request, which it does not use up. The link is unused and at most USE_WITHIN_SECONDS old,
 * or it was used and is resumed (`isResumed`). A resumed download comes from the same address within
 * RESUME_SECONDS, and asks for bytes after the first, so that no client gets the whole file twice.
 * @throws {Refusal} FILE_LINK_INVALID for any other link
 */
async function findLink(db: Db, request: FastifyRequest) {
  const found = await db
    .selectFrom('fileLinks')
    .select([
      'fileId',
      'sessionHash',
      sql<boolean>`used_at is null and created_at > ${ago(USE_WITHIN_SECONDS)}`.as('isFresh'),
      sql<boolean>`coalesce(used_address = ${addressOf(request)} and used_at > ${ago(RESUME_SECONDS)}, false)`.as(
        'isOpen',
      ),
    ])
    .where('tokenHash', '=', tokenHashOf(request))
    .executeTakeFirst()
  if (found === undefined) return refuse('FILE_LINK_INVALID')
  // The client already has the beginning of the file.
  const isResumed = !found.isFresh && found.isOpen && /^bytes=[1-9]\d*-/.test(request.headers.range ?? '')
  if (!found.isFresh && !isResumed) refuse('FILE_LINK_INVALID')
  return { ...found, isResumed }
}

/**
 * Marks a link as used, with the address of the client.
 * @throws {Refusal} FILE_LINK_INVALID for the second of two concurrent requests
 */
async function useLink(db: Db, request: FastifyRequest): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('fileLinks')
    .set({ usedAt: sql`now()`, usedAddress: addressOf(request) })
    .where('tokenHash', '=', tokenHashOf(request))
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) refuse('FILE_LINK_INVALID')
}

/** Deletes links that were created more than two hours ago: no client can open or resume them any more. */
export async function removeOldLinks(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from file_links where created_at < now() - interval '2 hours'`)
}
