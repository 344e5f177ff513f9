import { DEFAULT_ENVELOPE } from '../../contract/envelope.ts'

/** An office in the footer; the first is the head office (spec §1). */
export interface Office {
  name: string
  address: string
  phone: string
  fax: string
}

/** What a deployment sets and the page needs to know (decisions §3), served as /config.json. */
export interface PortalConfig {
  company: string
  logoText: string
  offices: readonly Office[]
  envelope: { key: string; iv: string }
}

let config: PortalConfig = { company: '', logoText: '', offices: [], envelope: DEFAULT_ENVELOPE }
let loading: Promise<PortalConfig> | undefined

/** The deployment's configuration as far as it is known: empty texts until `loadConfig` is through. */
export function portalConfig(): PortalConfig {
  return config
}

/** Fetches the configuration once; without an answer the page goes on with the defaults. */
export function loadConfig(): Promise<PortalConfig> {
  loading ??= fetchConfig()
  return loading
}

async function fetchConfig(): Promise<PortalConfig> {
  try {
    const response = await fetch('/config.json')
    if (response.ok) config = { ...config, ...((await response.json()) as Partial<PortalConfig>) }
  } catch {
    // The server is away. The next load asks again; every call says so meanwhile.
    loading = undefined
  }
  return config
}
