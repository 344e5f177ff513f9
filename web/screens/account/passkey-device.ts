import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'

/** Options of the browser for a new passkey. */
type Creation = Parameters<typeof startRegistration>[0]['optionsJSON']
/** Options of the browser for a signature. */
type Request = Parameters<typeof startAuthentication>[0]['optionsJSON']

/**
 * Reason why this page cannot use passkeys. 'nowhere': the portal offers none. 'elsewhere': the page is insecure or has
 * another origin than the portal's passkeys. 'unsupported': the browser has none.
 */
export type Obstacle = 'nowhere' | 'elsewhere' | 'unsupported'

/**
 * Returns why this page cannot use passkeys; undefined if it can.
 * @param at origin of the portal's passkeys, as the server returns it; '' if there is none
 */
export function obstacleAt(at: string): Obstacle | undefined {
  if (at === '') return 'nowhere'
  // Browsers have passkeys in a secure context alone, and each belongs to one address.
  if (!window.isSecureContext || location.origin !== at) return 'elsewhere'
  return browserSupportsWebAuthn() ? undefined : 'unsupported'
}

/**
 * Reason why a device failed. 'cancelled': the user declined or did not respond. 'already': the device has a passkey of this
 * account.
 */
export type DeviceFailure = 'cancelled' | 'already' | 'failed'

/** Returns the reason of an error that `makePasskey` or `signWithPasskey` threw; 'failed' for any unknown error. */
export function deviceFailure(error: unknown): DeviceFailure {
  const name = error instanceof Error ? error.name : ''
  // A browser does not reveal whether the user declined or did not respond in time.
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled'
  return name === 'InvalidStateError' ? 'already' : 'failed'
}

/**
 * Creates a passkey on a device.
 * @param options the server's options, as JSON
 * @returns the device's response for the server, as JSON
 * @throws the browser's error; `deviceFailure` returns its reason
 */
export async function makePasskey(options: string): Promise<string> {
  return JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) as Creation }))
}

/**
 * Signs with one of the passkeys that the server lists.
 * @param options the server's options, as JSON
 * @returns the device's response for the server, as JSON
 * @throws the browser's error; `deviceFailure` returns its reason
 */
export async function signWithPasskey(options: string): Promise<string> {
  return JSON.stringify(await startAuthentication({ optionsJSON: JSON.parse(options) as Request }))
}

/** Cancels a pending request to the device, which then fails with 'cancelled'. */
export function cancelPasskeyRequest(): void {
  WebAuthnAbortService.cancelCeremony()
}
