import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { BrokenConnection, InputRefusal } from './failure.ts'

/** The type of a body that carries a file (decisions §2). */
export const FORM = 'multipart/form-data'

const FILE = 'file'

/** A form that is being read: its fields, and its file unless it has none. */
export interface Form {
  fields: Record<string, string>
  content: AsyncIterable<Uint8Array> | null
}

/** Whether a request holds a form. */
export function isForm(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')
}

/** @throws {InputRefusal} when there is no file to take */
export function contentOf(form: Form | null): AsyncIterable<Uint8Array> {
  if (form?.content) return form.content
  throw new InputRefusal(FILE, 'required')
}

/**
 * Reads a form up to where its file begins: the fields come first, then file, then nothing (decisions §2).
 * @throws {InputRefusal} when it is no form, or another one; from `content` too, whose end is the end of the form
 * @throws {BrokenConnection} when the form does not come to its end; from `content` too
 */
export async function openForm({ raw, headers }: FastifyRequest): Promise<Form> {
  const form = parserOf(headers as BusboyHeaders)
  const fields: Record<string, string> = Object.create(null) as Record<string, string>
  let file: Readable | undefined
  const begun = Promise.withResolvers<Readable | null>()
  const ended = Promise.withResolvers<void>()
  let hasFailed = false
  const failed = (why: Error) => {
    hasFailed = true
    ended.reject(why)
    begun.reject(why)
    raw.unpipe(form)
    file?.destroy(why)
  }
  // Whoever reads the form is told; nobody may, once it is refused.
  ended.promise.catch(() => {})
  begun.promise.catch(() => {})

  form.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (file !== undefined || name in fields) return failed(new InputRefusal(name, 'formOrder'))
    if (nameTruncated || valueTruncated) return failed(new InputRefusal(name, 'unknownField'))
    fields[name] = value
  })
  form.on('file', (name, stream) => {
    // Whoever reads it is told; where nobody does, it is no defect.
    stream.on('error', () => {})
    // The parser still goes through what it has got.
    if (hasFailed) return stream.resume()
    if (file !== undefined || name !== FILE) {
      stream.resume()
      return failed(new InputRefusal(name, file === undefined ? 'unknownField' : 'formOrder'))
    }
    file = stream
    begun.resolve(stream)
  })
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    form.on(limit, () => failed(new InputRefusal(FILE, 'formOrder')))
  }
  form.on('error', () => failed(new InputRefusal(FILE, 'notAnObject')))
  form.on('finish', () => {
    begun.resolve(null)
    ended.resolve()
  })
  raw.once('close', () => {
    if (!raw.complete) failed(new BrokenConnection('The connection broke'))
  })
  raw.pipe(form)

  const stream = await begun.promise
  return { fields, content: stream && contentUntil(stream, ended.promise) }
}

function parserOf(headers: BusboyHeaders): BusboyInstance {
  try {
    return new Busboy({
      headers,
      // A name of 255 letters in JSON, each as \uXXXX twice over.
      limits: { fieldNameSize: 100, fieldSize: 4096, fields: 20, headerPairs: 50 },
    })
  } catch {
    throw new InputRefusal(FILE, 'notAnObject')
  }
}

async function* contentUntil(file: Readable, ended: Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const chunk of file) yield chunk as Uint8Array
  // The end of the file is not the end of the form: what comes after it may spoil it.
  await ended
}
