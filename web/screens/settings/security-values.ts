import { isNetwork } from '../../../contract/networks.ts'
import * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { multiline } from '../../../contract/fields.ts'
import {
  type getSecurity,
  MAX_ADMIN_NETWORKS,
  MAX_EMERGENCY_ACCOUNTS,
  SECURITY_NAMES,
  SECURITY_SETTINGS,
  type SecuritySettings,
} from '../../../contract/settings/security.ts'
import { boundsOf, inputSchemasOf, type Setting } from '../../../contract/settings/declared.ts'
import { linesOf } from './lines.ts'

/** The security settings as the API returns them. */
export type SecurityRecord = OutputOf<typeof getSecurity>

/** The values of the fields of SECURITY_SETTINGS: numbers as text. */
type Typed = { [Name in keyof SecuritySettings]: Typeable<SecuritySettings[Name]> }
/** Type of a setting in the form: text for a number. */
type Typeable<Value> = Value extends number ? string : Value

/** Returns whether a text is empty, which another check refuses, or has 1 to 7 digits. */
const isDigits = (text: string) => text === '' || /^\d{1,7}$/.test(text)

/** The schemas of the fields of SECURITY_SETTINGS, which replace those of numbers by schemas of typed text. */
const fieldSchemas = {
  ...inputSchemasOf(SECURITY_SETTINGS),
  ...Object.fromEntries(
    Object.entries(SECURITY_SETTINGS).flatMap(([name, setting]) =>
      'max' in setting ? [[name, typedNumber(setting)]] : [],
    ),
  ),
} as unknown as { [Name in keyof Typed]: z.ZodMiniType<Typed[Name], Typed[Name]> }

/** Creates the schema of a number as the user types it: digits within the bounds. The value stays text. */
function typedNumber(setting: Extract<Setting, { max: number }>) {
  return z
    .string()
    .check(z.trim(), z.minLength(1, 'required'), z.refine(isDigits, 'notNumber'), boundsOf<string>(setting))
}

/**
 * Creates the schema of the form of /setting/security.
 * @param wrongLine returns the message for a line that is not an address or a network
 * @param fixed settings that are not checked, because an environment variable fixes them
 */
export const securityRules = (wrongLine: (line: string) => string, fixed: SecurityRecord['fixed']) =>
  z.strictObject({
    factorRoles: z.array(z.string()),
    trustRoles: z.array(z.string()),
    ssoRoles: z.array(z.string()),
    emergencyAccounts: multiline(1_000).check(
      z.refine(
        (text) => linesOf(text).length <= MAX_EMERGENCY_ACCOUNTS,
        `tooManyChosen|${MAX_EMERGENCY_ACCOUNTS}`,
      ),
    ),
    ...fieldSchemas,
    ...(Object.fromEntries(fixed.map(({ field }) => [field, z.any()])) as Partial<
      typeof fieldSchemas
    > as object),
    adminNetworks: multiline(10_000).check(
      z.superRefine((text, context) => {
        const networks = linesOf(text)
        const wrong = networks.find((line) => !isNetwork(line))
        if (wrong !== undefined) context.addIssue({ code: 'custom', message: wrongLine(wrong) })
        else if (networks.length > MAX_ADMIN_NETWORKS)
          context.addIssue({ code: 'custom', message: `tooManyNetworks|${MAX_ADMIN_NETWORKS}` })
      }),
    ),
  })

/** Unvalidated values of the form. */
export type SecurityValues = z.output<ReturnType<typeof securityRules>>

/** Returns whether a setting is a number. */
const isNumber = (name: keyof Typed) => 'max' in SECURITY_SETTINGS[name]

/** Returns the values of SECURITY_SETTINGS with their numbers converted, between numbers and the text of the fields. */
const withNumbers = (values: SecuritySettings | Typed, convert: (value: unknown) => unknown): unknown =>
  Object.fromEntries(
    SECURITY_NAMES.map((name) => [name, isNumber(name) ? convert(values[name]) : values[name]]),
  )

/** Returns the security settings as the form edits them: numbers as text, lists of accounts and networks as lines. */
export const valuesOf = (record: SecurityRecord): SecurityValues => ({
  ...(withNumbers(record, String) as Typed),
  factorRoles: record.factorRoles,
  trustRoles: record.trustRoles,
  ssoRoles: record.ssoRoles,
  emergencyAccounts: record.emergencyAccounts.join('\n'),
  adminNetworks: record.adminNetworks.join('\n'),
})

/**
 * Returns the values of the form as the API accepts them, without those that an environment variable fixes. Login IDs
 * of accounts become lower case.
 */
export function settingsOf(values: SecurityValues, fixed: SecurityRecord['fixed']) {
  const settings = withNumbers(values, Number) as SecuritySettings
  for (const { field } of fixed) Reflect.deleteProperty(settings, field)
  return {
    ...settings,
    factorRoles: values.factorRoles,
    trustRoles: values.trustRoles,
    ssoRoles: values.ssoRoles,
    emergencyAccounts: linesOf(values.emergencyAccounts.toLowerCase()),
    adminNetworks: linesOf(values.adminNetworks),
  }
}
