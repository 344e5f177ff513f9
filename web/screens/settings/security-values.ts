import * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { multiline } from '../../../contract/fields.ts'
import {
  type getSecurity,
  isNetwork,
  MAX_ADMIN_NETWORKS,
  numbersWith,
  SECURITY_NUMBER_NAMES,
  type SecurityNumber,
  SESSION_BINDINGS,
} from '../../../contract/settings.ts'

/** The security settings as the API returns them. */
export type SecurityRecord = OutputOf<typeof getSecurity>

/** The addresses of a text, one a line. */
export const networksOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Creates the schema of a typed number from 0 to `max`. */
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
 * Creates the schema of the form.
 * @param wrongLine returns the message for a line that is not an address
 */
export const securityRules = (wrongLine: (line: string) => string) =>
  z.strictObject({
    factorRoles: z.array(z.string()),
    ...numbersWith(upTo),
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

/** Unvalidated values of the form. */
export type SecurityValues = z.output<ReturnType<typeof securityRules>>

/** Converts the numbers of the settings between the record and the text of the fields. */
const numbersAs = <T, R>(values: Record<SecurityNumber, T>, convert: (value: T) => R) =>
  Object.fromEntries(SECURITY_NUMBER_NAMES.map((name) => [name, convert(values[name])])) as Record<
    SecurityNumber,
    R
  >

/** Returns the record as the form edits it. */
export const valuesOf = (record: SecurityRecord): SecurityValues => ({
  ...numbersAs(record, String),
  factorRoles: record.factorRoles,
  sessionBinding: record.sessionBinding,
  adminNetworks: record.adminNetworks.join('\n'),
})

/** Returns the values of the form as the API accepts them. */
export const settingsOf = (values: SecurityValues) => ({
  ...values,
  ...numbersAs(values, Number),
  adminNetworks: networksOf(values.adminNetworks),
})
