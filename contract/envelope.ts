/** The default key and IV of the envelope: obfuscation, not secrets (rules/wire#envelope). */
export const DEFAULT_ENVELOPE = {
  key: 'maru-portal-envelope-aes256-key!',
  iv: 'maru-portal-iv16',
} as const

/** The header that carries sessionUid (rules/wire#session-header). Header names are case-insensitive. */
export const SESSION_HEADER = 'SessionId'

/** The base path of every call. */
export const API_BASE = '/api'
