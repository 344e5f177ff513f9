import { useSyncExternalStore } from 'react'
import { DEFAULT_ENVELOPE } from '../../contract/envelope.ts'
import type { FileTypes } from '../../contract/file-types.ts'
import type { Office } from '../../contract/settings.ts'
import { createListeners } from '../listeners.ts'

/** What is set for the whole portal and the page needs to know (rules/running#company), served as /config.json. */
interface PortalConfig {
  company: string
  logoText: string
  /** Address of the logo's image, where there is one. */
  logo?: string
  offices: readonly Office[]
  /** What English screens say instead, where it is known (rules/settings#variables). */
  english?: Partial<Pick<PortalConfig, 'company' | 'logoText' | 'offices'>>
  envelope: { key: string; iv: string }
  /** Left out where every type may be attached. */
  fileTypes?: FileTypes
}

/** The first paint waits for it. */
const CONFIG_TIMEOUT_MS = 5_000

let config: PortalConfig = { company: '', logoText: '', offices: [], envelope: DEFAULT_ENVELOPE }
let loading: Promise<PortalConfig> | undefined
const { subscribe, notify } = createListeners()

/** The portal's configuration as far as it is known: empty texts until `loadConfig` is through. */
export function portalConfig(): PortalConfig {
  return config
}

/** The same for what shows it: follows a change that was made in this page. */
export function usePortalConfig(): PortalConfig {
  return useSyncExternalStore(subscribe, portalConfig)
}

/** Asks anew, after the settings were changed here. */
export async function reloadConfig(): Promise<void> {
  const { logo: _, english: __, ...rest } = config
  config = { ...rest, ...((await askForConfig()) as Partial<PortalConfig>) }
  notify()
}

/**
 * Fetches the configuration, once it succeeds for good.
 * @throws when it cannot be loaded: nothing is sent sealed with a wrong key. The next load asks again
 */
export function loadConfig(): Promise<PortalConfig> {
  loading ??= fetchConfig().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function fetchConfig(): Promise<PortalConfig> {
  // The server writes it into the page; Vite's, which serves the pages while they are worked on, does not.
  const written = document.querySelector<HTMLMetaElement>('meta[name=config]')?.content
  config = { ...config, ...((written ? JSON.parse(written) : await askForConfig()) as Partial<PortalConfig>) }
  return config
}

async function askForConfig(): Promise<unknown> {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(CONFIG_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`/config.json: ${response.status}`)
  return response.json()
}
