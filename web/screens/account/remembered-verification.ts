import * as z from 'zod/mini'
import type { CERTIFY_TYPE } from '../../../contract/account.ts'
import { readStorage } from '../../read-storage.ts'

/** Purpose of an email verification, as its wire code. */
export type CertifyType = (typeof CERTIFY_TYPE)[keyof typeof CERTIFY_TYPE]

/** State of a form with an email verification that survives a reload of its tab; never a password. */
const certification = z.object({
  /** When the code expires, in milliseconds since 1970; missing before a code is sent. */
  deadline: z.optional(z.number()),
  /** Values of the fields. */
  values: z.record(z.string(), z.string()),
})

/** Returns the storage key of a purpose. */
const keyOf = (type: CertifyType) => `certification_${type}`

/** Stores the state of a form with an email verification until the tab is closed. */
export function storeCertification(type: CertifyType, state: z.output<typeof certification>): void {
  sessionStorage.setItem(keyOf(type), JSON.stringify(state))
}

/** Returns the state that this tab has stored for a purpose; undefined without a valid one. */
export function readCertification(type: CertifyType): z.output<typeof certification> | undefined {
  return readStorage(sessionStorage, keyOf(type), certification)
}

/** Deletes the state that this tab has stored for a purpose. */
export function deleteCertification(type: CertifyType): void {
  sessionStorage.removeItem(keyOf(type))
}
