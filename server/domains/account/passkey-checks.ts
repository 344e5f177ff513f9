import { isIP } from 'node:net'
import type { Settings } from '../../services/settings.ts'

/** Whose passkeys they are: the portal at its address (rules/account#passkeys). */
export interface RelyingParty {
  rpId: string
  origin: string
}

/** What a browser has to know of a passkey. */
export interface KnownPasskey {
  credential_id: string
  transports: string[]
}

/** A passkey as it is kept. */
export interface KeptPasskey extends KnownPasskey {
  public_key: Buffer
  counter: string
}

/** A signature that is right: how often its passkey has signed by now, and whether another one has meanwhile with what it has. */
export type Signature = { counter: number; isCloned: boolean } | null

/** EdDSA, ES256 and RS256, which every device has one of. */
const ALGORITHMS = [-8, -7, -257]

// A large library, which only who has a passkey needs.
const library = () => import('@simplewebauthn/server')

/**
 * The portal as browsers know it: by the address that was set, never by what a request says of itself.
 * @returns null while that is not known, is no name or is without TLS: browsers have no passkeys there
 */
export function relyingParty(settings: Settings): RelyingParty | null {
  const { portalUrl } = settings.now()
  if (portalUrl === '') return null
  const { protocol, hostname, origin } = new URL(portalUrl)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isSecure && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { rpId: hostname, origin } : null
}

const describe = (known: readonly KnownPasskey[]) =>
  known.map(({ credential_id: id, transports }) => ({ id, transports }))

/** What a browser is asked to make a passkey with. */
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
    // Tells whoever has the device nothing, and stays when the ID changes.
    userID: new TextEncoder().encode(person.id),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: describe(known),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { challenge: options.challenge, json: JSON.stringify(options) }
}

/** What a browser is asked to sign with one of these passkeys. */
export async function requestOptions(
  { rpId }: RelyingParty,
  known: readonly KnownPasskey[],
): Promise<{ challenge: string; json: string }> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    allowCredentials: describe(known),
    userVerification: 'preferred',
  })
  return { challenge: options.challenge, json: JSON.stringify(options) }
}

/** The passkey that a browser has made for this challenge; null when it has not. */
export async function madePasskey(
  { rpId, origin }: RelyingParty,
  proof: string,
  challenge: string,
): Promise<KeptPasskey | null> {
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
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter: String(counter),
      // A browser's hint for the next time, and all that is kept without being signed.
      transports: transports.filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10),
    }
  } catch {
    // Whatever is wrong with what was sent, it is no passkey.
    return null
  }
}

/** The ID of the passkey that a proof says it is by; undefined when it is no proof at all. */
export function credentialIn(proof: string): string | undefined {
  try {
    const given: unknown = JSON.parse(proof)
    const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : undefined
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

/** What a passkey has signed for a challenge, looked at; null when it is wrong. */
export async function signedBy(
  { rpId, origin }: RelyingParty,
  kept: KeptPasskey,
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
      // Its count is looked at below: the library says of one that goes back no more than that something is wrong.
      credential: { id: kept.credential_id, publicKey: new Uint8Array(kept.public_key), counter: 0 },
      requireUserVerification: false,
    })
    if (!verified) return null
    const { newCounter: counter } = authenticationInfo
    const before = Number(kept.counter)
    // Who counts at all counts on with every signature; 0 and 0 is a passkey that does not.
    return { counter, isCloned: counter <= before && counter + before > 0 }
  } catch {
    return null
  }
}
