import * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { multiline } from '../../../contract/fields.ts'
import {
  type getSecurity,
  isNetwork,
  MAX_ADMIN_NETWORKS,
  MAX_FACTOR_GRACE_DAYS,
  MAX_SESSION_LIMIT,
  MAX_UPLOAD_QUOTA_MB,
  SESSION_BINDINGS,
} from '../../../contract/settings.ts'

/** The security settings as the server tells them. */
export type SecurityRecord = OutputOf<typeof getSecurity>

/** The addresses of a text, one a line. */
export const networksOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A number from 0 on, as it is typed. */
const upTo = (max: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, 'required'),
    z.refine(
      (text) => text === '' || (/^\d{1,7}$/.test(text) && Number(text) <= max),
      `numberRange|0~${max}`,
    ),
  )

/**
 * The rules of the form.
 * @param wrongLine says of a line that it is no address
 */
export const securityRules = (wrongLine: (line: string) => string) =>
  z.strictObject({
    factorRoles: z.array(z.string()),
    factorGraceDays: upTo(MAX_FACTOR_GRACE_DAYS),
    sessionLimit: upTo(MAX_SESSION_LIMIT),
    uploadQuotaMb: upTo(MAX_UPLOAD_QUOTA_MB),
    sessionBinding: z.enum(SESSION_BINDINGS, 'codeFormat'),
    adminNetworks: multiline(10_000).check(
      z.superRefine((text, context) => {
        const networks = networksOf(text)
        const wrong = networks.find((line) => !isNetwork(line))
        if (wrong !== undefined) context.addIssue({ code: 'custom', message: wrongLine(wrong) })
        else if (networks.length > MAX_ADMIN_NETWORKS)
          context.addIssue({ code: 'custom', message: `tooManyNetworks|${MAX_ADMIN_NETWORKS}` })
      }),
    ),
  })

/** What a person types. */
export type SecurityValues = z.output<ReturnType<typeof securityRules>>

/** The record as the form edits it. */
export const valuesOf = (record: SecurityRecord): SecurityValues => ({
  factorRoles: record.factorRoles,
  factorGraceDays: String(record.factorGraceDays),
  sessionLimit: String(record.sessionLimit),
  sessionBinding: record.sessionBinding,
  adminNetworks: record.adminNetworks.join('\n'),
  uploadQuotaMb: String(record.uploadQuotaMb),
})
