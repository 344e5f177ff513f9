import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_BASE } from '../../contract/envelope.ts'
import { downloadFile, FILE_LINKS_PATH } from '../../contract/notices.ts'
import { refuse } from '../../contract/errors.ts'
import { addressOf } from './address.ts'
import { answerFile, rangeOf } from './file-answer.ts'
import type { FileAnswer } from './handler.ts'
import { checkAccess, type MountOptions } from './mount.ts'
import { findSessionByHash, type SignedIn } from './sessions.ts'

/** What is asked of a link; `goesOn` when the beginning of the file may be there already. */
export interface LinkUse {
  token: string
  address: string
  goesOn: boolean
}

/** A link that was used up: in which session it was made, and how its maker gets the file. */
export interface UsedLink {
  sessionHash: Buffer
  /** It was used up before: good for what comes after the first byte. */
  isForTheRest: boolean
  /** @returns null when the file is gone, or is no longer for this person */
  file(actor: SignedIn): Promise<FileAnswer | null>
}

/** Uses up a link; null when it is unknown, used or too old. */
export type OpenLink = (
  options: Pick<MountOptions, 'db' | 'services'>,
  use: LinkUse,
) => Promise<UsedLink | null>

/**
 * Mounts the download by link (ADR 016): GET, without a header, so that the browser's own download manager keeps the
 * file. The link alone opens it, once, and only while the session that it was made in may download.
 */
export function mountFileLinks(
  app: FastifyInstance,
  open: OpenLink,
  options: Pick<MountOptions, 'db' | 'pool' | 'services'>,
): void {
  app.route({
    method: 'GET',
    url: `${API_BASE}${FILE_LINKS_PATH}/:token`,
    // A look at the link must not use it up.
    exposeHeadRoute: false,
    async handler(request, reply) {
      const { token } = request.params as { token: string }
      const link = await open(options, { token, address: addressOf(request), goesOn: goesOn(request) })
      if (link === null) refuse('FILE_LINK_INVALID')
      const { pool, services } = options
      const actor = await findSessionByHash(pool, services.config.session, link.sessionHash)
      checkAccess(downloadFile, actor)
      const file = await link.file(actor as SignedIn)
      if (file === null) refuse('FILE_NOT_FOUND')
      // A range that cannot be taken as one would be answered with the whole file.
      if (link.isForTheRest && rangeOf(request, file) === undefined) refuse('FILE_LINK_INVALID')
      return answerFile(request, reply, file)
    },
  })
}

function goesOn({ headers }: FastifyRequest): boolean {
  return /^bytes=[1-9]\d*-/.test(headers.range ?? '')
}
