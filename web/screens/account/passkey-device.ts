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
 * Returns why this page cannot use passkeys. @returns undefined if it can
 * @param at origin of the portal's passkeys, as the server returns it; empty if there is none
 */
export function obstacleAt(at: string): Obstacle | undefined {
  if (at === '') return 'nowhere'
  // Browsers have passkeys in a secure context alone, and each belongs to one address.
  if (!window.isSecureContext || location.origin !== at) return 'elsewhere'
  return browserSupportsWebAuthn() ? undefined : 'unsupported'
}

/** Why a device made no passkey, or signed nothing. */
export type DeviceFailure = 'cancelled' | 'already' | 'failed'

/** A failure between a user and the device. Any other error is a defect. */
export function deviceFailure(error: unknown): DeviceFailure {
  const name = error instanceof Error ? error.name : ''
  // A browser does not reveal whether the user declined or did not respond in time.
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled'
  return name === 'InvalidStateError' ? 'already' : 'failed'
}

/** Creates a passkey on a device. Returns the device's response for the server. */
export async function makePasskey(options: string): Promise<string> {
  return JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) as Creation }))
}

/** Signs with one of the passkeys that the server lists. Returns the device's response for the server. */
export async function signWithPasskey(options: string): Promise<string> {
  return JSON.stringify(await startAuthentication({ optionsJSON: JSON.parse(options) as Request }))
}

/** Cancels a pending request to the device. */
export function stopAsking(): void {
  WebAuthnAbortService.cancelCeremony()
}
