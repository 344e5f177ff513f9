import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { API_BASE } from '../../contract/envelope.ts'
import { type ErrorCode, refuse } from '../../contract/errors.ts'
import { beginUpload, UPLOADS_PATH } from '../../contract/notices.ts'
import type { Database } from '../db/types.ts'
import { addressOf } from './address.ts'
import { answerFailure } from './failure.ts'
import type { Services } from './handler.ts'
import { authorise, type MountOptions } from './mount.ts'
import type { SignedIn } from './sessions.ts'
import { bodyOf, takeStreams } from './streams.ts'

/** Who sends bytes of an upload, and what that may reach. */
export interface UploadCall {
  actor: SignedIn
  address: string
  db: Kysely<Database>
  services: Services
}

/** Uploads that can be resumed, as a domain keeps them; each refuses what it does not know as UPLOAD_NOT_FOUND. */
export interface ResumableUploads {
  /** How far it has come. */
  progress(call: UploadCall, id: string): Promise<{ offset: number; size: number }>
  /**
   * Takes what comes from `offset` on.
   * @returns the new offset
   * @throws {Refusal} UPLOAD_OFFSET, UPLOAD_BUSY, FILE_TOO_LARGE
   */
  append(call: UploadCall, id: string, part: UploadPart): Promise<number>
}

/** A part of an upload on its way in. */
export interface UploadPart {
  offset: number
  /** How many bytes were announced. */
  length: number | undefined
  content: AsyncIterable<Uint8Array>
}

const TUS = '1.0.0'
const BYTES = 'application/offset+octet-stream'

/**
 * Mounts the core of the tus protocol (https://tus.io/protocols/resumable-upload): HEAD says how far an upload has
 * come, PATCH goes on. It begins and ends with calls of the contract (ADR 015), so each of these needs what
 * beginning needs.
 */
export function mountUploads(
  app: FastifyInstance,
  uploads: ResumableUploads,
  options: Pick<MountOptions, 'db' | 'pool' | 'services'>,
): void {
  const url = `${API_BASE}${UPLOADS_PATH}/:id`
  const callOf = async (request: FastifyRequest, reply: FastifyReply): Promise<UploadCall> => {
    reply.header('Tus-Resumable', TUS).header('Cache-Control', 'no-store')
    const actor = (await authorise(request, beginUpload, options)) as SignedIn
    if (request.headers['tus-resumable'] !== TUS) refuse('INPUT_INVALID')
    return { actor, address: addressOf(request), db: options.db, services: options.services }
  }

  app.head(url, async (request, reply) => {
    const call = await callOf(request, reply)
    const { offset, size } = await uploads.progress(call, idOf(request))
    return reply.header('Upload-Offset', offset).header('Upload-Length', size).send()
  })

  takeStreams(app, BYTES, url, 'PATCH', async (request, reply) => {
    const call = await callOf(request, reply)
    const { headers } = request
    const offset = wholeNumber(headers['upload-offset'])
    if (headers['content-type'] !== BYTES || offset === undefined) refuse('INPUT_INVALID')
    const length = wholeNumber(headers['content-length'])
    const next = await uploads.append(call, idOf(request), { offset, length, content: bodyOf(request) })
    return reply.status(204).header('Upload-Offset', next).send()
  })

  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    app.route({
      method,
      url,
      exposeHeadRoute: false,
      handler: (request, reply) =>
        answerFailure(
          request,
          reply.header('Allow', 'HEAD, PATCH'),
          'METHOD_NOT_ALLOWED' satisfies ErrorCode,
        ),
    })
  }
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id
}

function wholeNumber(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
