import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { code, recordVersion } from '../fields.ts'
import { line } from '../text-fields.ts'

/** The settings that are a whole number from 0 to this maximum; 0 means no limit, or no days. */
export const SECURITY_NUMBERS = {
  /** Days for which a user may log in without a required second factor (rules/settings#required-factors). */
  factorGraceDays: 90,
  /** Concurrent sessions of one user (rules/settings#session-limit). */
  sessionLimit: 50,
  /** Megabytes that one user may upload per day (rules/settings#upload-quota). */
  uploadQuotaMb: 1_000_000,
} as const

/** The name of a security setting that is a number. */
export type SecurityNumber = keyof typeof SECURITY_NUMBERS
export const SECURITY_NUMBER_NAMES = Object.keys(SECURITY_NUMBERS) as SecurityNumber[]

/** The most addresses in the list of administrators' networks. */
export const MAX_ADMIN_NETWORKS = 100

/** The most roles that may require a second factor: more than any portal has. */
const MAX_FACTOR_ROLES = 500

/**
 * The binding of a session to its network: none, the network in which it began (for IPv4 the /24, for IPv6 the /64), or its exact
 * address (rules/settings#session-binding).
 */
export const SESSION_BINDINGS = ['off', 'network', 'exact'] as const
/** See `SESSION_BINDINGS`. */
export type SessionBinding = (typeof SESSION_BINDINGS)[number]

const addresses = z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()])

/** Returns whether a text is an IP address or a network. */
export function isNetwork(text: string): boolean {
  return z.safeParse(addresses, text).success
}

/** An IP address, or a network such as 10.0.0.0/8 or 2001:db8::/32. */
const network = line(50).check(z.toLowerCase(), z.refine(isNetwork, 'networkFormat'))

/** Creates a schema for each setting that is a number. */
export const numbersWith = <S>(schemaUpTo: (max: number) => S) =>
  Object.fromEntries(
    SECURITY_NUMBER_NAMES.map((name) => [name, schemaUpTo(SECURITY_NUMBERS[name])]),
  ) as Record<SecurityNumber, S>

const upTo = (max: number) => {
  const range = `numberRange|0~${max}`
  return z.number({ error: 'notNumber' }).check(z.int('notNumber'), z.gte(0, range), z.lte(max, range))
}

/** The fields of the form of the security settings. */
export const securityForm = z.strictObject({
  /** Codes of the roles whose users must have a second factor. */
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

/** Returns the settings that protect accounts and sessions (rules/settings#security). */
export const getSecurity = endpoint({
  path: '/set/v1/get/security',
  summary: 'Security settings',
  access: manage,
  input: z.strictObject({}),
  output: z.object({
    /** Every role, by its code and its name in the caller's language. */
    roles: z.array(z.object({ roleCode: z.string(), roleName: z.string() })),
    factorRoles: z.array(z.string()),
    ...numbersWith(() => z.number()),
    sessionBinding: z.enum(SESSION_BINDINGS),
    adminNetworks: z.array(z.string()),
    /** IP address of the caller, as the server sees it. */
    address: z.string(),
    version: recordVersion,
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/**
 * Saves all of them. RECORD_CHANGED if another user has saved since; ADDRESS_SHUTS_OUT for a list without the caller's address;
 * ADMIN_REACH_REQUIRED for a caller who does not reach administrators; ROLE_NOT_FOUND for a removed role.
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
