import * as z from 'zod/mini'
import type { CERTIFY_TYPE } from '../../../contract/account.ts'

/** What an e-mail certification is for, as the wire calls it. */
export type CertifyType = (typeof CERTIFY_TYPE)[keyof typeof CERTIFY_TYPE]

/** What a certification under way needs after a reload of its tab: never a password. */
export interface KeptCertification {
  /** When the code stops being good, in milliseconds since 1970. */
  deadline: number
  /** The main fields as they were certified. */
  values: Record<string, string>
}

const kept = z.object({ deadline: z.number(), values: z.record(z.string(), z.string()) })

const keyOf = (type: CertifyType) => `certification_${type}`

/** Keeps a certification for this tab, for as long as the tab is open. */
export function keepCertification(type: CertifyType, certification: KeptCertification): void {
  sessionStorage.setItem(keyOf(type), JSON.stringify(certification))
}

/** The certification that this tab kept; undefined when there is none that can be read. */
export function recallCertification(type: CertifyType): KeptCertification | undefined {
  const text = sessionStorage.getItem(keyOf(type))
  if (text === null) return undefined
  try {
    return kept.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Forgets what was kept: done, expired, or begun anew. */
export function forgetCertification(type: CertifyType): void {
  sessionStorage.removeItem(keyOf(type))
}
