import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { line, recordId, timestamp } from '../fields.ts'

const manage = { function: ['autho_service_manage'] } as const

/** The longest name of a service, in characters. */
export const SERVICE_NAME_LENGTH = 60

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
        createdAt: timestamp,
        createdBy: z.string(),
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
  input: z.strictObject({ serviceName: line(SERVICE_NAME_LENGTH) }),
  output: z.object({ serviceId: z.string(), serviceToken: z.string() }),
  errors: ['SERVICE_NAME_TAKEN'],
  audit: 'service.create',
  personal: 'none',
  perPerson: 'write',
})

/** Ends a service's token at once and for good. */
export const revokeService = endpoint({
  path: '/kmn/v1/del/Service',
  summary: 'Revoke the token of a service',
  access: manage,
  input: z.strictObject({ serviceId: recordId }),
  output: z.object({}),
  errors: ['SERVICE_NOT_FOUND'],
  audit: 'service.revoke',
  personal: 'none',
  perPerson: 'write',
})
