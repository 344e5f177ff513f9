import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Encodes bytes or the UTF-8 of a text in base64url. */
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')
/** Returns the SHA-256 of bytes or of the UTF-8 of a text. */
const sha256 = (text: Buffer | string) => createHash('sha256').update(text).digest()

/** Wrong values that a test lets a device or a browser send instead of the right ones. */
export interface Lies {
  challenge?: string
  origin?: string
  rpId?: string
  type?: string
  counter?: number
  /** False if the user did not touch the device. */
  isPresent?: boolean
  /** ID of the passkey of another device. */
  id?: string
}

/** A WebAuthn device with one passkey, in a browser on a page of the portal. */
export interface Authenticator {
  /** ID of the device's passkey. */
  id: string
  /** Returns the answer of the browser to `passkeyOptions` of an enrolment. */
  make(options: string, lies?: Lies): string
  /**
   * Returns the answer of the browser to `passkeyOptions` of a login. Increments the counter if the device has one,
   * unless `lies` names a counter.
   */
  sign(options: string, lies?: Lies): string
}

/**
 * Creates a device with a new key.
 * @param origin of the page
 * @param options.counts true if it counts its signatures, as security keys do. Synchronized passkeys always send 0
 * @param options.isVerified true if it verified the user, by PIN or fingerprint
 */
export function createAuthenticator(
  origin: string,
  { counts = true, isVerified = true }: { counts?: boolean; isVerified?: boolean } = {},
): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0

  const clientData = (type: string, options: { challenge: string }, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? options.challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )

  const authData = (rpId: string, lies: Lies, credential?: Buffer) => {
    const fixed = Buffer.alloc(5)
    fixed[0] = (lies.isPresent === false ? 0 : 1) | (isVerified ? 4 : 0) | (credential === undefined ? 0 : 64)
    fixed.writeUInt32BE(lies.counter ?? counter, 1)
    return Buffer.concat([sha256(lies.rpId ?? rpId), fixed, credential ?? Buffer.alloc(0)])
  }

  return {
    id: base64url(id),
    make(options, lies = {}) {
      const asked = JSON.parse(options) as { challenge: string; rp: { id: string } }
      const key = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const length = Buffer.from([0, id.length])
      const made = authData(asked.rp.id, lies, Buffer.concat([Buffer.alloc(16), length, id, key]))
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', made],
        ]),
      )
      return JSON.stringify({
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', asked, lies)),
          attestationObject: base64url(attestation),
          transports: ['internal', 'Not A Transport'],
        },
      })
    },
    sign(options, lies = {}) {
      const asked = JSON.parse(options) as { challenge: string; rpId: string }
      if (counts && lies.counter === undefined) counter += 1
      const data = authData(asked.rpId, lies)
      const client = clientData('webauthn.get', asked, lies)
      return JSON.stringify({
        id: lies.id ?? base64url(id),
        rawId: lies.id ?? base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        },
      })
    },
  }
}

/**
 * Encodes a value in CBOR (RFC 8949), for the types that authenticators use: integer, text, bytes and Map.
 * @throws {Error} for a value of another type
 */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((one: unknown) => cbor(one))])
  throw new Error('Authenticators do not speak of this')
}

/**
 * Returns the head of a CBOR value.
 * @param kind major type
 * @param size number, or length below 65,536
 */
function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size])
  if (size < 256) return Buffer.from([(kind << 5) | 24, size])
  return Buffer.from([(kind << 5) | 25, size >> 8, size & 255])
}
