import { isIP } from 'node:net'
import type { Settings } from '../../services/settings.ts'

/** Portal as browsers identify it for passkeys, which belong to its host name (rules/account#passkeys). */
export interface RelyingParty {
  rpId: string
  origin: string
}

/** Fields of a passkey that a browser needs to find it on a device. */
export interface KnownPasskey {
  credentialId: string
  transports: string[]
}

/** Passkey as it is stored. */
export interface StoredPasskey extends KnownPasskey {
  publicKey: Buffer
  counter: string
}

/**
 * Result of a signature check: the new counter of the passkey, and whether a copy of the passkey has signed since its
 * last use here. null if the signature is wrong.
 */
export type Signature = { counter: number; isCloned: boolean } | null

/** Signature algorithms that the portal accepts: EdDSA, ES256 and RS256. Every device supports one. */
const ALGORITHMS = [-8, -7, -257]

/** Imports the WebAuthn library on demand, because it is large and only users with passkeys need it. */
const library = () => import('@simplewebauthn/server')

/**
 * Returns the portal as browsers identify it: by the configured URL, never by the headers of a request.
 * @returns null if browsers have no passkeys there: the URL is not set, contains an IP address, or has no TLS and is not
 *   localhost
 */
export function relyingParty(settings: Settings): RelyingParty | null {
  const { portalUrl } = settings.now()
  if (portalUrl === '') return null
  const { protocol, hostname, origin } = new URL(portalUrl)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isSecure && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { rpId: hostname, origin } : null
}

/** Returns passkeys in the form in which WebAuthn names them to a browser. */
const toDescriptors = (known: readonly KnownPasskey[]) =>
  known.map(({ credentialId: id, transports }) => ({ id, transports }))

/**
 * Returns the challenge and the options with which a browser creates a passkey.
 * @param person users.id, login ID, and the company, which the browser shows
 * @param known the user's passkeys, whose devices the browser excludes
 * @returns `json` are the options for the browser, with the challenge
 */
export async function creationOptions(
  { rpId }: RelyingParty,
  person: { id: string; userId: string; company: string },
  known: readonly KnownPasskey[],
): Promise<{ challenge: string; json: string }> {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: person.company,
    rpID: rpId,
    userName: person.userId,
    // Reveals nothing to the holder of the device, and stays the same when the login ID changes.
    userID: new TextEncoder().encode(person.id),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: toDescriptors(known),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { challenge: options.challenge, json: JSON.stringify(options) }
}

/**
 * Returns the challenge and the options with which a browser signs with one of these passkeys.
 * @param known the user's passkeys for the current URL
 * @returns `json` are the options for the browser, with the challenge
 */
export async function requestOptions(
  { rpId }: RelyingParty,
  known: readonly KnownPasskey[],
): Promise<{ challenge: string; json: string }> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    allowCredentials: toDescriptors(known),
    userVerification: 'preferred',
  })
  return { challenge: options.challenge, json: JSON.stringify(options) }
}

/**
 * Checks the proof of a browser that has created a passkey for this challenge. Stores nothing.
 * @param proof JSON response of the browser
 * @returns the passkey to store; null if the proof is invalid
 */
export async function verifyNewPasskey(
  { rpId, origin }: RelyingParty,
  proof: string,
  challenge: string,
): Promise<StoredPasskey | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(proof),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: false,
    })
    if (!verified) return null
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey),
      counter: String(counter),
      // A hint for the browser's next login. It is the only stored part that is not signed.
      transports: transports.filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10),
    }
  } catch {
    // The library throws for any invalid proof.
    return null
  }
}

/**
 * Returns the ID of the passkey that a proof names.
 * @returns undefined if the text is no proof
 */
export function readCredentialId(proof: string): string | undefined {
  try {
    const given: unknown = JSON.parse(proof)
    const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : undefined
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

/**
 * Checks the signature of a stored passkey for a challenge. The caller must refuse a right one with `isCloned`: its counter has
 * not increased, so the passkey may have been copied.
 * @param proof JSON response of the browser
 * @returns the new counter; null if the signature is wrong
 */
export async function verifySignature(
  { rpId, origin }: RelyingParty,
  kept: StoredPasskey,
  proof: string,
  challenge: string,
): Promise<Signature> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: JSON.parse(proof),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // The counter is checked below: for one that did not increase, the library throws only a general error.
      credential: { id: kept.credentialId, publicKey: new Uint8Array(kept.publicKey), counter: 0 },
      requireUserVerification: false,
    })
    if (!verified) return null
    const { newCounter: counter } = authenticationInfo
    const before = Number(kept.counter)
    // A passkey with a counter increases it with every signature. 0 before and now means that it has no counter.
    return { counter, isCloned: counter <= before && counter + before > 0 }
  } catch {
    return null
  }
}
