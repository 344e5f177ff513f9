import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_BASE } from '../../../contract/envelope.ts'
import { type ErrorCode, refuse } from '../../../contract/errors.ts'
import { beginUpload, UPLOADS_PATH } from '../../../contract/notices.ts'
import { answerFailure } from '../../http/error-response.ts'
import { authorize, reauthorize } from '../../http/authorize.ts'
import type { MountOptions } from '../../http/mount.ts'
import { limitBytes, requestBody, parseByteCount } from '../../http/request-body.ts'
import { withLease } from './upload-lease.ts'
import { incomingOf } from './upload-queries.ts'
import { storageAnswer } from './upload-space.ts'

/** Version of the tus protocol. */
const TUS = '1.0.0'
/** Media type of the body of PATCH. */
const BYTES = 'application/offset+octet-stream'

/**
 * Mounts HEAD and PATCH of the tus protocol (https://tus.io/protocols/resumable-upload) for uploads that
 * `beginUpload` started. HEAD returns how many bytes have arrived, PATCH appends bytes and returns the new number.
 * `finishUpload` completes the upload (design/uploads-and-files#rows-before-bytes). Both need the permissions of
 * `beginUpload`.
 * Refusals: INPUT_INVALID for wrong headers; UPLOAD_OFFSET if PATCH begins elsewhere than at the received bytes;
 * FILE_TOO_LARGE; STORAGE_FULL; METHOD_NOT_ALLOWED for other methods; and as `withLease`.
 */
export function mountTus(app: FastifyInstance, options: MountOptions): void {
  const url = `${API_BASE}${UPLOADS_PATH}/:id`
  const { db, services } = options
  const { storage } = services
  /** Authenticates a request, checks its version of tus, and returns its upload, which may not exist. */
  const uploadOf = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('Tus-Resumable', TUS)
    const actor = await authorize(request, beginUpload, options)
    if (request.headers['tus-resumable'] !== TUS) refuse('INPUT_INVALID')
    return {
      id: (request.params as { id: string }).id,
      actor,
      stillAllowed: () => reauthorize(request, beginUpload, options),
    }
  }

  app.head(url, async (request, reply) => {
    const { size, offset } = await withLease(options, await uploadOf(request, reply), async (row) => {
      const all = row.sizeBytes ?? refuse('UPLOAD_NOT_FOUND')
      return {
        size: all,
        offset: row.finishedAt === null ? await storage.received(incomingOf(db, row)) : all,
      }
    })
    return reply.header('Upload-Offset', offset).header('Upload-Length', size).send()
  })

  void app.register(async (scope) => {
    scope.addContentTypeParser(BYTES, (_request, _body, parsed) => parsed(null))
    scope.patch(url, { config: { streams: true } }, appendBytes)
  })
  /** Appends the body of a PATCH to its upload. */
  async function appendBytes(request: FastifyRequest, reply: FastifyReply) {
    const upload = await uploadOf(request, reply)
    const { headers } = request
    const offset = parseByteCount(headers['upload-offset'])
    if (headers['content-type'] !== BYTES || offset === undefined) refuse('INPUT_INVALID')
    const next = await withLease(options, upload, async (row, stop) => {
      if (row.sizeBytes === null || row.finishedAt !== null) refuse('UPLOAD_NOT_FOUND')
      const left = Number(row.sizeBytes) - offset
      if ((parseByteCount(headers['content-length']) ?? 0) > left) refuse('FILE_TOO_LARGE')
      if ((await storageAnswer(storage.room())) < left) refuse('STORAGE_FULL')
      const file = incomingOf(db, row)
      if ((await storageAnswer(storage.received(file))) !== offset) refuse('UPLOAD_OFFSET')
      const body = requestBody(request)
      stop.throwIfAborted()
      stop.addEventListener('abort', () => body.destroy(stop.reason as Error))
      // A complete upload may have been scanned, so no more bytes are written to it.
      if (left > 0) await storage.append(file, limitBytes(left, body))
      return storage.received(file)
    })
    return reply.status(204).header('Upload-Offset', next).send()
  }

  app.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url,
    exposeHeadRoute: false,
    handler: (request, reply) =>
      answerFailure(request, reply.header('Allow', 'HEAD, PATCH'), 'METHOD_NOT_ALLOWED' satisfies ErrorCode),
  })
}
