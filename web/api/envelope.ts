import { cbc } from '@noble/ciphers/aes.js'

/**
 * The wire's cipher on the page's side (rules/wire#envelope): AES-256-CBC with PKCS#7. Not WebCrypto, because
 * that needs a secure context and the portal is also opened as plain http inside an office.
 */

/** Key and IV as the server gave them out: ASCII, taken as raw bytes. */
interface EnvelopeKey {
  key: string
  iv: string
}

/** Turns a value into the DATA of a request. */
export function seal(value: unknown, { key, iv }: EnvelopeKey): string {
  return toBase64(cbc(bytes(key), bytes(iv)).encrypt(bytes(JSON.stringify(value))))
}

/**
 * Turns the DATA of an answer back into its value.
 * @throws when it does not decrypt or does not parse
 */
export function unseal(data: string, { key, iv }: EnvelopeKey): unknown {
  return JSON.parse(new TextDecoder().decode(cbc(bytes(key), bytes(iv)).decrypt(fromBase64(data)))) as unknown
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function toBase64(data: Uint8Array): string {
  let binary = ''
  // In slices: a call takes only a limited number of arguments.
  for (let at = 0; at < data.length; at += 8192) {
    binary += String.fromCharCode(...data.subarray(at, at + 8192))
  }
  return btoa(binary)
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
