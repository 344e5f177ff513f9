import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import type { WireNames } from '../../contract/wire.ts'
import { BrokenConnection, InputRefusal } from './error-response.ts'
import { refuseCrossSite } from './cross-site.ts'

/** Name in the code of the form's file. */
const FILE = 'file'

/**
 * Limits of a form. A file name of 255 letters in JSON, each as \uXXXX twice over, must fit in a field; the handler limits the
 * size of the file.
 */
const LIMITS = { fieldNameSize: 100, fieldSize: 4096, fields: 20, headerPairs: 50, fileSize: Infinity }

/** Form up to its file: the fields by their names in the code, and the file's content; null if it has none. */
export interface Form {
  fields: Record<string, string>
  content: AsyncIterable<Uint8Array> | null
}

/**
 * Adds a POST route whose handler streams a multipart body with `openForm`. Refuses requests of other sites with CROSS_SITE,
 * and runs `limitCalls`, before the body is read.
 */
export function addMultipartRoute(
  app: FastifyInstance,
  url: string,
  limitCalls: (request: FastifyRequest) => Promise<void>,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  void app.register(async (scope) => {
    await scope.register(multipart)
    scope.post(url, { config: { streams: true }, onRequest: [refuseCrossSite, limitCalls] }, handler)
  })
}

/**
 * Returns the content of a form's file.
 * @throws {InputRefusal} if it has none
 */
export function contentOf(form: Form | null, names: WireNames): AsyncIterable<Uint8Array> {
  if (form?.content) return form.content
  throw new InputRefusal('required', FILE, names.toWire(FILE))
}

/**
 * Reads a form up to its file: the fields come first, then the file, then nothing (rules/files#upload-by-form).
 * @param names of the call; the fields of the result have their names in the code
 * @throws {InputRefusal} if the body is no form, a field comes twice, or a part is too long or an unknown file; from `content`
 * too, if another part follows the file
 * @throws {BrokenConnection} if the form does not arrive completely; from `content` too
 */
export async function openForm(request: FastifyRequest, names: WireNames): Promise<Form> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>
  const nextPart = partsOf(request, names)
  for (;;) {
    const part = await nextPart()
    if (part === null) return { fields, content: null }
    const wireName = nameOf(part)
    const name = names.fromWire(wireName)
    if (part.type === 'file') {
      if (name !== FILE) throw new InputRefusal('unknownField', name, wireName)
      return { fields, content: contentUntilEnd(part.file, nextPart, request, names) }
    }
    if (name in fields) throw new InputRefusal('formOrder', name, wireName)
    if (part.fieldnameTruncated || part.valueTruncated) throw new InputRefusal('unknownField', name, wireName)
    // A part declared as JSON has been parsed already.
    fields[name] = typeof part.value === 'string' ? part.value : JSON.stringify(part.value)
  }
}

/**
 * Yields the file, then reads to the end of the form, because a part after the file makes the form invalid.
 * @throws {InputRefusal} for such a part
 */
async function* contentUntilEnd(
  file: Readable,
  nextPart: NextPart,
  request: FastifyRequest,
  names: WireNames,
) {
  try {
    for await (const chunk of file) yield chunk as Uint8Array
  } catch (error) {
    throw failureOf(error, request, names)
  }
  const more = await nextPart()
  if (more !== null) throw new InputRefusal('formOrder', names.fromWire(nameOf(more)), nameOf(more))
}

/** Returns the name of a part, which may have none despite its type. */
const nameOf = ({ fieldname }: { fieldname: string | undefined }): string => fieldname ?? ''

/** Function that reads the next part of a form. It returns null at the end. */
type NextPart = () => Promise<Multipart | null>

/** Returns a function that reads the parts of a form one by one, with the errors of `failureOf`. */
function partsOf(request: FastifyRequest, names: WireNames): NextPart {
  const parts = request.parts({ limits: LIMITS })
  return async () => {
    try {
      const next = await parts.next()
      return next.done === true ? null : next.value
    } catch (error) {
      throw failureOf(error, request, names)
    }
  }
}

/** Returns the error for a form that cannot be read: BrokenConnection if it did not arrive completely, else InputRefusal. */
function failureOf(error: unknown, { raw }: FastifyRequest, names: WireNames): Error {
  if (raw.destroyed && !raw.complete) return new BrokenConnection('The connection broke', { cause: error })
  const isLimit = error instanceof Error && 'code' in error && String(error.code).endsWith('_LIMIT')
  return new InputRefusal(isLimit ? 'formOrder' : 'notAnObject', FILE, names.toWire(FILE))
}
