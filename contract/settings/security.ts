import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { code, recordVersion } from '../fields.ts'
import { line } from '../text-fields.ts'

/** Settings that are a whole number from 0 to this bound; 0 sets no limit, or no days. */
export const SECURITY_NUMBERS = {
  /** Days that a user who needs a second factor may do without it (rules/settings#required-factors). */
  factorGraceDays: 90,
  /** Sessions of one user at the same time (rules/settings#session-limit). */
  sessionLimit: 50,
  /** Megabytes that a user may upload per day (rules/settings#upload-quota). */
  uploadQuotaMb: 1_000_000,
} as const

/** The name of a security setting that is a number. */
export type SecurityNumber = keyof typeof SECURITY_NUMBERS
export const SECURITY_NUMBER_NAMES = Object.keys(SECURITY_NUMBERS) as SecurityNumber[]

/** How many addresses the list of administrators holds at most. */
export const MAX_ADMIN_NETWORKS = 100

/** How many roles may have to have one: more than anybody has. */
const MAX_FACTOR_ROLES = 500

/**
 * From where a session may be used: anywhere, from the network that it began in (of IPv4 the /24, of IPv6 the /64), or from its
 * address alone (rules/settings#session-binding).
 */
export const SESSION_BINDINGS = ['off', 'network', 'exact'] as const
/** See `SESSION_BINDINGS`. */
export type SessionBinding = (typeof SESSION_BINDINGS)[number]

const addresses = z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()])

/** Whether a text is an address or a network of addresses. */
export function isNetwork(text: string): boolean {
  return z.safeParse(addresses, text).success
}

/** An address, or a network as 10.0.0.0/8 or 2001:db8::/32. */
const network = line(50).check(z.toLowerCase(), z.refine(isNetwork, 'networkFormat'))

/** Makes a schema for each setting that is a number. */
export const numbersWith = <S>(schemaUpTo: (max: number) => S) =>
  Object.fromEntries(
    SECURITY_NUMBER_NAMES.map((name) => [name, schemaUpTo(SECURITY_NUMBERS[name])]),
  ) as Record<SecurityNumber, S>

const upTo = (max: number) => {
  const range = `numberRange|0~${max}`
  return z.number({ error: 'notNumber' }).check(z.int('notNumber'), z.gte(0, range), z.lte(max, range))
}

/** What the form of the security settings edits. */
export const securityForm = z.strictObject({
  /** Codes of the roles whose people have to have a second factor. */
  factorRoles: z.array(code, 'notAList').check(
    z.maxLength(MAX_FACTOR_ROLES, `maxLength|${MAX_FACTOR_ROLES}`),
    z.overwrite((codes) => [...new Set(codes)]),
  ),
  ...numbersWith(upTo),
  sessionBinding: z.enum(SESSION_BINDINGS, 'codeFormat'),
  adminNetworks: z.array(network, 'notAList').check(
    z.maxLength(MAX_ADMIN_NETWORKS, `tooManyNetworks|${MAX_ADMIN_NETWORKS}`),
    z.overwrite((networks) => [...new Set(networks)]),
  ),
})

const manage = { function: ['autho_setting_manage'] } as const

/** How accounts and sessions are kept safe (rules/settings#security). */
export const getSecurity = endpoint({
  path: '/set/v1/get/security',
  summary: 'Security settings',
  access: manage,
  input: z.strictObject({}),
  output: z.object({
    /** Every role, by its code and its name in the person's language. */
    roles: z.array(z.object({ roleCode: z.string(), roleName: z.string() })),
    factorRoles: z.array(z.string()),
    ...numbersWith(() => z.number()),
    sessionBinding: z.enum(SESSION_BINDINGS),
    adminNetworks: z.array(z.string()),
    /** Where the caller comes from, as the server sees it. */
    address: z.string(),
    version: recordVersion,
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/**
 * Saves all of them. Refuses with RECORD_CHANGED after another save, with ADDRESS_SHUTS_OUT for a list without the caller's address, with
 * ADMIN_REACH_REQUIRED for a caller who does not reach administrators, and with ROLE_NOT_FOUND for a removed role.
 */
export const updateSecurity = endpoint({
  path: '/set/v1/upd/security',
  summary: 'Change the security settings',
  access: manage,
  confirmed: 'always',
  input: z.extend(securityForm, { version: recordVersion }),
  output: z.object({}),
  errors: ['RECORD_CHANGED', 'ADDRESS_SHUTS_OUT', 'ADMIN_REACH_REQUIRED', 'ROLE_NOT_FOUND'],
  audit: 'setting.update',
  personal: 'none',
  perPerson: 'write',
})
