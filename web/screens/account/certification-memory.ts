import * as z from 'zod/mini'
import type { CERTIFY_TYPE } from '../../../contract/account.ts'
import { readStorage } from '../../read-storage.ts'

/** What an e-mail certification is for, as the wire calls it. */
export type CertifyType = (typeof CERTIFY_TYPE)[keyof typeof CERTIFY_TYPE]

/** What a form with a certification needs after a reload of its tab: never a password. */
const certification = z.object({
  /** When the code stops being good, in milliseconds since 1970; left out before one was sent. */
  deadline: z.optional(z.number()),
  /** The main fields as they were typed, or certified. */
  values: z.record(z.string(), z.string()),
})

const keyOf = (type: CertifyType) => `certification_${type}`

/** Keeps a form for this tab, for as long as the tab is open. */
export function keepCertification(type: CertifyType, kept: z.output<typeof certification>): void {
  sessionStorage.setItem(keyOf(type), JSON.stringify(kept))
}

/** The form that this tab kept; undefined when there is none that can be read. */
export function recallCertification(type: CertifyType): z.output<typeof certification> | undefined {
  return readStorage(sessionStorage, keyOf(type), certification)
}

/** Forgets what was kept: done, expired, or begun anew. */
export function forgetCertification(type: CertifyType): void {
  sessionStorage.removeItem(keyOf(type))
}
