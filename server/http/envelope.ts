import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal, refuse } from '../../contract/errors.ts'
import { isFairJson } from './json-shape.ts'

/** Opens and seals the wire's DATA field; the only place on the server that knows the cipher. */
export interface Envelope {
  /**
   * @param body the request body as it came; none and `{}` stand for a call without fields
   * @throws {Refusal} ENVELOPE_INVALID for whatever is no JSON, no Base64, does not decrypt or parse; INPUT_INVALID for
   * more JSON than any call takes
   */
  open(body: Buffer | undefined): unknown
  /** Like `open`, for any size: other calls have their turns between the steps that a large body takes. */
  openInTurns(body: Buffer | undefined): Promise<unknown>
  seal(value: unknown): string
}

/** Of what is smaller no step takes a millisecond. */
const LARGE_BYTES = 128 * 1024

/** Bytes of standard Base64; undefined for what is none. A regular expression takes longer than all of the cipher. */
function fromBase64(text: string): Buffer | undefined {
  const digits = text.length - (/={1,2}$/.exec(text.slice(-2))?.[0].length ?? 0)
  const bytes = Buffer.from(text, 'base64')
  // The decoder leaves out what does not belong there, and then there are fewer; it takes the other alphabet too.
  const isWhole = digits > 0 && digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4)
  return isWhole && !text.includes('-') && !text.includes('_') ? bytes : undefined
}

/**
 * AES-256-CBC with PKCS#7 and standard Base64 (rules/wire#envelope): no more than
 * obfuscation, because key and IV are in the client. Confidentiality comes from TLS.
 * @param key 32 ASCII bytes
 * @param iv 16 ASCII bytes
 */
export function createEnvelope({ key, iv }: { key: string; iv: string }): Envelope {
  // As a key object: from bytes, every cipher would make one of its own.
  const secret = createSecretKey(key, 'ascii')
  const ivBytes = Buffer.from(iv, 'ascii')

  function decrypt(sealed: Buffer): Buffer {
    const decipher = createDecipheriv('aes-256-cbc', secret, ivBytes)
    return Buffer.concat([decipher.update(sealed), decipher.final()])
  }

  /** Opens a body step by step. */
  function* opening(body: Buffer | undefined): Generator<undefined, unknown> {
    if (body === undefined || body.length === 0) return {}
    try {
      if (!isFairJson(body)) throw new TypeError('too much JSON')
      yield
      const outer: unknown = JSON.parse(body.toString('utf8'))
      if (typeof outer !== 'object' || outer === null || Array.isArray(outer))
        throw new TypeError('no object')
      if (!('DATA' in outer)) {
        if (Object.keys(outer).length === 0) return {}
        throw new TypeError('no DATA')
      }
      const sealed = typeof outer.DATA === 'string' ? fromBase64(outer.DATA) : undefined
      if (sealed === undefined) throw new TypeError('no Base64')
      const plain = decrypt(sealed)
      yield
      if (!isFairJson(plain)) refuse('INPUT_INVALID')
      yield
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain))
    } catch (error) {
      if (error instanceof Refusal) throw error
      // Which of the steps failed would help only somebody who probes the cipher.
      return refuse('ENVELOPE_INVALID')
    }
  }

  return {
    open(body) {
      const steps = opening(body)
      for (;;) {
        const { done, value } = steps.next()
        if (done) return value
      }
    },
    async openInTurns(body) {
      const isLarge = (body?.length ?? 0) > LARGE_BYTES
      const steps = opening(body)
      for (;;) {
        const { done, value } = steps.next()
        if (isLarge) await nextTurn()
        if (done) return value
      }
    },
    seal(value) {
      const cipher = createCipheriv('aes-256-cbc', secret, ivBytes)
      return cipher.update(JSON.stringify(value), 'utf8', 'base64') + cipher.final('base64')
    },
  }
}
