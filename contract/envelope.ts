/** The default key and IV of the envelope: obfuscation that the spec asks for, not secrets (decisions §2). */
export const DEFAULT_ENVELOPE = {
  key: 'maru-portal-envelope-aes256-key!',
  iv: 'maru-portal-iv16',
} as const

/** The header that carries sessionUid (spec §7). Header names are case-insensitive. */
export const SESSION_HEADER = 'SessionId'

/** The base path of every call (spec §9). */
export const API_BASE = '/api'
