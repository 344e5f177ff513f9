import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal, refuse } from '../../contract/errors.ts'
import { isWithinJsonLimits } from './json-limits.ts'

/** Cipher of request bodies and of the DATA of responses. Only this file of the server has it. */
export interface Envelope {
  /**
   * Decrypts and parses a request body. Yields to the event loop between the steps of a large one.
   * @param body undefined or `{}` for a call without fields
   * @returns the parsed input with its wire names; {} without fields
   * @throws {Refusal} ENVELOPE_INVALID if it is no JSON, no Base64, or cannot be decrypted; INPUT_INVALID if the decrypted JSON
   * exceeds the limits of JSON
   */
  open(body: Buffer | undefined): Promise<unknown>
  /** Returns the encrypted JSON of a value as Base64. */
  seal(value: unknown): string
}

/** Bytes of a body from which `open` yields between its steps, because a step may take a millisecond. */
const LARGE_BYTES = 128 * 1024

/**
 * Returns the bytes of standard Base64; undefined for another text. Without a regular expression over the whole text, which
 * takes longer than the cipher.
 */
function fromBase64(text: string): Buffer | undefined {
  const digits = text.length - (/={1,2}$/.exec(text.slice(-2))?.[0].length ?? 0)
  const bytes = Buffer.from(text, 'base64')
  // The decoder skips invalid characters, so that bytes are missing, and accepts the URL-safe alphabet, too.
  const isWhole = digits > 0 && digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4)
  return isWhole && !text.includes('-') && !text.includes('_') ? bytes : undefined
}

/**
 * Creates the envelope: AES-256-CBC with PKCS#7 and standard Base64 (rules/wire#envelope). It is no more than
 * obfuscation, because key and IV are in the client. Confidentiality comes from TLS.
 * @param key 32 ASCII bytes
 * @param iv 16 ASCII bytes
 */
export function createEnvelope({ key, iv }: { key: string; iv: string }): Envelope {
  // As a key object, because every cipher would create one from bytes.
  const secret = createSecretKey(key, 'ascii')
  const ivBytes = Buffer.from(iv, 'ascii')

  /**
   * Decrypts the bytes of an envelope.
   * @throws {Error} if they are not a whole ciphertext
   */
  function decrypt(sealed: Buffer): Buffer {
    const decipher = createDecipheriv('aes-256-cbc', secret, ivBytes)
    return Buffer.concat([decipher.update(sealed), decipher.final()])
  }

  return {
    async open(body) {
      if (body === undefined || body.length === 0) return {}
      const isLarge = body.length > LARGE_BYTES
      try {
        if (!isWithinJsonLimits(body)) throw new TypeError('too much JSON')
        if (isLarge) await nextTurn()
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
        if (isLarge) await nextTurn()
        if (!isWithinJsonLimits(plain)) refuse('INPUT_INVALID')
        if (isLarge) await nextTurn()
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain))
      } catch (error) {
        if (error instanceof Refusal) throw error
        // The step that failed would help an attacker to probe the cipher.
        return refuse('ENVELOPE_INVALID')
      }
    },
    seal(value) {
      const cipher = createCipheriv('aes-256-cbc', secret, ivBytes)
      return cipher.update(JSON.stringify(value), 'utf8', 'base64') + cipher.final('base64')
    },
  }
}
