import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import { refuse } from '../../contract/errors.ts'

/** Opens and seals the wire's DATA field; the only place on the server that knows the cipher. */
export interface Envelope {
  /**
   * @param body the request body as it came; none and `{}` stand for a call without fields
   * @throws {Refusal} ENVELOPE_INVALID for whatever is no JSON, no Base64, does not decrypt or parse
   */
  open(body: Buffer | undefined): unknown
  seal(value: unknown): string
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

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

  function decrypt(data: string): string {
    const decipher = createDecipheriv('aes-256-cbc', secret, ivBytes)
    const plain = Buffer.concat([decipher.update(data, 'base64'), decipher.final()])
    return new TextDecoder('utf-8', { fatal: true }).decode(plain)
  }

  return {
    open(body) {
      if (body === undefined || body.length === 0) return {}
      try {
        const outer: unknown = JSON.parse(body.toString('utf8'))
        if (typeof outer !== 'object' || outer === null || Array.isArray(outer))
          throw new TypeError('no object')
        if (!('DATA' in outer)) {
          if (Object.keys(outer).length === 0) return {}
          throw new TypeError('no DATA')
        }
        if (typeof outer.DATA !== 'string' || !BASE64.test(outer.DATA)) throw new TypeError('no Base64')
        return JSON.parse(decrypt(outer.DATA))
      } catch {
        // Which of the steps failed would help only somebody who probes the cipher.
        return refuse('ENVELOPE_INVALID')
      }
    },
    seal(value) {
      const cipher = createCipheriv('aes-256-cbc', secret, ivBytes)
      return cipher.update(JSON.stringify(value), 'utf8', 'base64') + cipher.final('base64')
    },
  }
}
