import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'

type Creation = Parameters<typeof startRegistration>[0]['optionsJSON']
type Request = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Why this page cannot use passkeys. */
export type Obstacle = 'nowhere' | 'elsewhere' | 'unsupported'

/**
 * Why this page cannot use passkeys; undefined where it can.
 * @param at where the portal has them, as the server says; empty: nowhere
 */
export function obstacleAt(at: string): Obstacle | undefined {
  if (at === '') return 'nowhere'
  // Browsers have passkeys in a secure context alone, and each belongs to one address.
  if (!window.isSecureContext || location.origin !== at) return 'elsewhere'
  return browserSupportsWebAuthn() ? undefined : 'unsupported'
}

/** Why a device made no passkey, or signed nothing. */
export type DeviceFailure = 'cancelled' | 'already' | 'failed'

/** What went wrong between a person and their device; anything else is a defect. */
export function deviceFailure(error: unknown): DeviceFailure {
  const name = error instanceof Error ? error.name : ''
  // A browser does not say whether somebody said no, or nothing for too long.
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled'
  return name === 'InvalidStateError' ? 'already' : 'failed'
}

/** Has a device make a passkey; gives what it answers, for the server. */
export async function makePasskey(options: string): Promise<string> {
  return JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) as Creation }))
}

/** Has a device sign with one of the passkeys that the server names; gives what it answers, for the server. */
export async function signWithPasskey(options: string): Promise<string> {
  return JSON.stringify(await startAuthentication({ optionsJSON: JSON.parse(options) as Request }))
}

/** Takes back what the device was asked, if it has not answered. */
export function stopAsking(): void {
  WebAuthnAbortService.cancelCeremony()
}
