import { cbc } from '@noble/ciphers/aes.js'

/**
 * The cipher of the wire envelope in the browser (rules/wire#envelope): AES-256-CBC with PKCS#7. Not
 * WebCrypto, because that needs a secure context and offices also open the portal by plain HTTP.
 */

/** Key and IV from the portal's configuration, as ASCII text of 32 and 16 characters. */
interface EnvelopeKey {
  key: string
  iv: string
}

/** Encrypts a value as JSON, in Base64, for the `DATA` of a request. */
export function seal(value: unknown, { key, iv }: EnvelopeKey): string {
  return toBase64(cbc(bytes(key), bytes(iv)).encrypt(bytes(JSON.stringify(value))))
}

/**
 * Decrypts the `DATA` of a response to its value.
 * @throws if it cannot be decrypted or is not JSON
 */
export function unseal(data: string, { key, iv }: EnvelopeKey): unknown {
  return JSON.parse(new TextDecoder().decode(cbc(bytes(key), bytes(iv)).decrypt(fromBase64(data)))) as unknown
}

/** Returns the UTF-8 bytes of a text. */
function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Encodes bytes in Base64. */
function toBase64(data: Uint8Array): string {
  let binary = ''
  // In slices: a call takes only a limited number of arguments.
  for (let at = 0; at < data.length; at += 8192) {
    binary += String.fromCharCode(...data.subarray(at, at + 8192))
  }
  return btoa(binary)
}

/**
 * Decodes Base64.
 * @throws if the text is not Base64
 */
function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
