import * as z from 'zod/mini'
import { type Endpoint, PER_PERSON, sharedErrorsOf } from '../../contract/endpoint.ts'
import { PLAIN_BASE } from '../../contract/envelope.ts'
import { endpoints } from '../../contract/index.ts'
import { isTimeField } from '../../contract/plain.ts'
import { plainStatusOf } from './error-response.ts'

/**
 * Field with the administrator's password. A plain call has none (rules/keys#unattended-changes), and a call in the envelope
 * needs it.
 */
export const PASSWORD_FIELD = 'managerPassword'

/** JSON object of the document. */
type Json = Record<string, unknown>

/** Path of the OpenAPI document. */
export const DOCUMENT_PATH = `${PLAIN_BASE}/openapi.json`

/** Error codes that a plain call never returns: it has no envelope and no session. */
const NEVER: ReadonlySet<string> = new Set(['ENVELOPE_INVALID', 'SESSION_REQUIRED', 'SESSION_MOVED'])

/** Returns the OpenAPI 3.1 document of the plain calls (rules/wire#plain-calls), created from the contract. */
export function plainDocument(): Json {
  const offered = endpoints.filter(({ endpoint }) => endpoint.scope !== undefined)
  return {
    openapi: '3.1.0',
    info: { title: 'Maru', version: '2' },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(
      offered.map(({ domain, name, endpoint }) => [
        `${PLAIN_BASE}/${domain}/${name}`,
        { post: operation(domain, name, endpoint) },
      ]),
    ),
    components: {
      securitySchemes: { program: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: PROBLEM },
    },
  }
}

/** JSON schema of a failure of a plain call (RFC 9457). */
const PROBLEM: Json = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'For users, in the language of the request.' },
    code: { type: 'string' },
    field: { type: 'string' },
    requestId: { type: 'string' },
  },
  required: ['type', 'status', 'detail', 'code', 'requestId'],
}

/** Returns the description of a plain call: its input, its output, and its error codes by status. */
function operation(domain: string, name: string, endpoint: Endpoint): Json {
  const { points, seconds } = PER_PERSON[endpoint.perPerson]
  const codes = [...sharedErrorsOf(endpoint), ...endpoint.errors, 'PROGRAM_TOKEN_REQUIRED' as const].filter(
    (code) => !NEVER.has(code),
  )
  const byStatus = Map.groupBy(new Set(codes), plainStatusOf)
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: endpoint.summary,
    description: `Scope ${endpoint.scope}. At most ${points} calls of its class in ${seconds} s.`,
    security: [{ program: [] }],
    'x-scope': endpoint.scope,
    // For /developer.
    'x-title-ko': endpoint.title?.ko,
    'x-limit': { points, seconds },
    requestBody: {
      required: !endpoint.input.safeParse({}).success,
      content: { 'application/json': { schema: schemaOf(endpoint.input, 'input') } },
    },
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: schemaOf(endpoint.output, 'output') } },
      },
      ...Object.fromEntries(
        [...byStatus].map(([status, its]) => [
          status,
          {
            description: its.join(', '),
            content: {
              'application/problem+json': {
                schema: { $ref: '#/components/schemas/Problem', properties: { code: { enum: its } } },
              },
            },
          },
        ]),
      ),
    },
  }
}

/**
 * Returns the JSON schema of plain JSON for a schema of the contract, without PASSWORD_FIELD. Times have an offset, and are null
 * instead of ''.
 */
function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: part }) {
      // The text that a filter transforms is also a string.
      if (zodSchema._zod.def.type === 'transform') part.type = 'string'
      delete part.properties?.[PASSWORD_FIELD]
      if (part.required !== undefined) part.required = part.required.filter((name) => name !== PASSWORD_FIELD)
      for (const name of Object.keys(part.properties ?? {}))
        if (part.properties !== undefined && isTimeField(name)) part.properties[name] = TIME
    },
  })
  return json
}

/** JSON schema of a time: with an offset, or null for no time. */
const TIME: z.core.JSONSchema.BaseSchema = { type: ['string', 'null'] as never, format: 'date-time' }
