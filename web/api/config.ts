import { useSyncExternalStore } from 'react'
import { DEFAULT_ENVELOPE } from '../../contract/envelope.ts'
import type { FileTypes } from '../../contract/file-types.ts'
import type { FirstLogin } from '../../contract/sso.ts'
import type { Office } from '../../contract/settings.ts'
import { createListeners } from '../listeners.ts'

/** The portal settings that pages need (rules/running#company), served as /config.json. */
interface PortalConfig {
  company: string
  logoText: string
  /** URL of the logo image, if there is one. */
  logo?: string
  offices: readonly Office[]
  /** English texts that replace the values above on English screens (rules/settings#variables). */
  english?: Partial<Pick<PortalConfig, 'company' | 'logoText' | 'offices'>>
  envelope: { key: string; iv: string }
  /** Identity providers by which users can log in; missing without any (rules/sso#login). */
  sso?: readonly { id: string; name: string; firstLogin: FirstLogin }[]
  /**
   * Number of the current version of the privacy notice; missing if none is published (rules/settings#privacy-notice).
   */
  privacy?: number
  /** True if a permission is granted only with a reason (rules/roles#grant-records). */
  grantReasons?: boolean
  /** True if the validity period of a user may have no end (rules/users#open-end). */
  openEnd?: boolean
  /** True if the phone number of a user may be a landline (rules/users#landlines). */
  landlines?: boolean
  /** True if the company defines fields of users, which pages then ask for (rules/users#custom-fields). */
  customFields?: boolean
  /** Positions that users may have; missing if any is allowed (rules/settings#positions). */
  positions?: readonly string[]
  /** Missing if all file types may be attached. */
  fileTypes?: FileTypes
}

/** Short, because the first paint waits for the configuration. */
const CONFIG_TIMEOUT_MS = 5_000

/** Configuration before it is loaded: empty texts and the default key of the envelope. */
const UNLOADED: PortalConfig = { company: '', logoText: '', offices: [], envelope: DEFAULT_ENVELOPE }
/** The loaded configuration. */
let config = UNLOADED
/** The load that runs or has succeeded; undefined before the first one and after a failure. */
let loading: Promise<PortalConfig> | undefined
const { subscribe, notify } = createListeners()

/**
 * Returns the portal's configuration. Until `loadConfig` has finished its texts are empty, and every optional setting
 * is missing.
 */
export function portalConfig(): PortalConfig {
  return config
}

/** Returns the portal's configuration, and renders the component again after `reloadConfig`. */
export function usePortalConfig(): PortalConfig {
  return useSyncExternalStore(subscribe, portalConfig)
}

/**
 * Requests /config.json after this page changed the settings, and renders the components of `usePortalConfig` again.
 * @throws if it cannot be loaded; the old one stays
 */
export async function reloadConfig(): Promise<void> {
  config = { ...UNLOADED, ...((await askForConfig()) as Partial<PortalConfig>) }
  notify()
}

/**
 * Loads the configuration once: from the page, or from /config.json with the development server of Vite.
 * @throws if it cannot be loaded, so that nothing is encrypted with a wrong key. The next call retries
 */
export function loadConfig(): Promise<PortalConfig> {
  loading ??= fetchConfig().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/**
 * Reads the configuration from the meta tag of the page, or from /config.json without one, and stores it in `config`.
 * @throws if it cannot be read
 */
async function fetchConfig(): Promise<PortalConfig> {
  // The server writes the configuration into the page. The development server of Vite does not.
  const written = document.querySelector<HTMLMetaElement>('meta[name=config]')?.content
  config = { ...config, ...((written ? JSON.parse(written) : await askForConfig()) as Partial<PortalConfig>) }
  return config
}

/**
 * Requests /config.json.
 * @throws if the server does not return it within 5 seconds
 */
async function askForConfig(): Promise<unknown> {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(CONFIG_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`/config.json: ${response.status}`)
  return response.json()
}
