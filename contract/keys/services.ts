import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { recordId, timestamp } from '../fields.ts'
import { overlapDays, TOKEN_STATES, tokenName, validDays } from './tokens.ts'

/** Access policy of the calls that manage services. */
const manage = { function: ['autho_service_manage'] } as const

/** Lists the services that may verify keys, newest first, including revoked ones. Their tokens are never returned. */
export const listServices = endpoint({
  path: '/kmn/v1/get/ServiceList',
  summary: 'List the services that may verify keys',
  access: manage,
  output: z.object({
    services: z.array(
      z.object({
        serviceId: z.string(),
        serviceName: z.string(),
        state: z.enum(TOKEN_STATES),
        createdAt: timestamp,
        createdBy: z.string(),
        /** Empty for a token without an end, which was made before tokens had one. */
        expiresAt: z.string(),
        /** Time until which the previous token is valid too; empty if it is not. */
        previousUntil: z.string(),
        /** Rounded to the minute; empty if it was never used. */
        lastUsedAt: z.string(),
        /** Empty while it is valid. */
        revokedAt: z.string(),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Creates a service's token. serviceToken is returned only this time: the database stores its SHA-256.
 * SERVICE_NAME_TAKEN for a name in use.
 */
export const createService = endpoint({
  path: '/kmn/v1/ins/Service',
  summary: 'Create a service token',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ serviceName: tokenName, validDays }),
  output: z.object({ serviceId: z.string(), serviceToken: z.string() }),
  errors: ['SERVICE_NAME_TAKEN'],
  audit: 'service.create',
  personal: 'none',
})

/**
 * Rotates a service's token, with a new expiry, and returns the new token, this one time. The previous token stays
 * valid for `overlapDays`, but not beyond its own expiry. SERVICE_NOT_FOUND, also if it has expired or was revoked.
 */
export const rollService = endpoint({
  path: '/kmn/v1/upd/ServiceToken',
  summary: 'Rotate a service token',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ serviceId: recordId, validDays, overlapDays }),
  output: z.object({ serviceToken: z.string() }),
  errors: ['SERVICE_NOT_FOUND'],
  audit: 'service.roll',
  personal: 'none',
})

/**
 * Revokes a service's token and the previous one immediately and permanently. The list still shows the service.
 * SERVICE_NOT_FOUND, also if it has expired or was revoked.
 */
export const revokeService = endpoint({
  path: '/kmn/v1/del/Service',
  summary: 'Revoke the token of a service',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ serviceId: recordId }),
  errors: ['SERVICE_NOT_FOUND'],
  audit: 'service.revoke',
  personal: 'none',
})
