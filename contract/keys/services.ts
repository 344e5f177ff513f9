import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { recordId, timestamp } from '../fields.ts'
import { overlapDays, TOKEN_STATES, tokenName, validDays } from './tokens.ts'

const manage = { function: ['autho_service_manage'] } as const

/** The services that may verify keys, newest first, revoked ones included; never their tokens. */
export const listServices = endpoint({
  path: '/kmn/v1/get/ServiceList',
  summary: 'List the services that may verify keys',
  access: manage,
  input: z.strictObject({}),
  output: z.object({
    services: z.array(
      z.object({
        serviceId: z.string(),
        serviceName: z.string(),
        state: z.enum(TOKEN_STATES),
        createdAt: timestamp,
        createdBy: z.string(),
        /** Empty: it has none, because it was made before tokens had one. */
        expiresAt: z.string(),
        /** Until when the token before is good too; empty: it is not. */
        previousUntil: z.string(),
        /** Empty: never; to the minute. */
        lastUsedAt: z.string(),
        /** Empty: in force. */
        revokedAt: z.string(),
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Makes a service's token. serviceToken is answered this once: the database keeps its SHA-256. */
export const createService = endpoint({
  path: '/kmn/v1/ins/Service',
  summary: 'Make the token of a service that verifies keys',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ serviceName: tokenName, validDays }),
  output: z.object({ serviceId: z.string(), serviceToken: z.string() }),
  errors: ['SERVICE_NAME_TAKEN'],
  audit: 'service.create',
  personal: 'none',
  perPerson: 'write',
})

/** Gives a service a new token and a new end; the one before is good for `overlapDays` more, and no longer than it was. */
export const rollService = endpoint({
  path: '/kmn/v1/upd/ServiceToken',
  summary: 'Give a service a new token',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ serviceId: recordId, validDays, overlapDays }),
  output: z.object({ serviceToken: z.string() }),
  errors: ['SERVICE_NOT_FOUND'],
  audit: 'service.roll',
  personal: 'none',
  perPerson: 'write',
})

/** Ends a service's token at once and for good, and the one before it. */
export const revokeService = endpoint({
  path: '/kmn/v1/del/Service',
  summary: 'Revoke the token of a service',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ serviceId: recordId }),
  output: z.object({}),
  errors: ['SERVICE_NOT_FOUND'],
  audit: 'service.revoke',
  personal: 'none',
  perPerson: 'write',
})
