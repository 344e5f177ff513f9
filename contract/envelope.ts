/** The default key and IV of the envelope: obfuscation, not secrets (rules/wire#envelope). */
export const DEFAULT_ENVELOPE = {
  key: 'maru-portal-envelope-aes256-key!',
  iv: 'maru-portal-iv16',
} as const

/** The header that carries sessionUid (rules/wire#session-header). Header names are case-insensitive. */
export const SESSION_HEADER = 'SessionId'

/**
 * With the value `cookie`, asks a call that starts a session to bind it to a cookie (rules/account#session-cookie). The portal's own
 * pages send it; programs do not.
 */
export const SESSION_BINDING_HEADER = 'SessionBinding'

/**
 * With the value `background`, a call that may be made without the user's action leaves the idle timer of the session
 * (rules/wire#session-header). Only endpoints that declare `leavesSessionIdle: 'in-background'` read it.
 */
export const SESSION_USE_HEADER = 'SessionUse'

/** The base path of every call. */
export const API_BASE = '/api'

/** Base path of the plain calls (rules/wire#plain-calls). */
export const PLAIN_BASE = `${API_BASE}/v2`

/** Base path of the requests of identity providers (rules/scim#requests). */
export const SCIM_BASE = '/scim/v2'
