import * as z from 'zod/mini'
import { type Endpoint, isDuringFactorSetUp, PER_PERSON, sharedErrorsOf } from '../../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import { endpoints } from '../../../contract/index.ts'
import { en } from '../../../contract/messages/en.ts'
import { MAX_FILE_BYTES } from '../../../contract/notices.ts'
import { answersRanges, byteRoutePaths, FILE_ANSWERS, RANGE_HEADERS } from './byte-routes.ts'
import { byText, failureSchema, failuresOf, type Json } from './failures.ts'
import { INTRODUCTION } from './words.ts'
import { holdsFieldName, NO_LIMIT, toWire, wireNames } from '../../../contract/wire.ts'

/** Returns the OpenAPI 3.1 document of the whole contract. Only `words.ts` is written by hand (design/api#openapi-document). */
export function openApiDocument(): Json {
  const schemas: Json = { Failure: failureSchema }
  const responses: Json = {}
  const paths: Json = {}
  // Sorted, because the order of a module's exports depends on its loader.
  for (const { domain, name, endpoint } of endpoints.toSorted((a, b) =>
    byText(a.endpoint.path, b.endpoint.path),
  )) {
    const id = `${domain}.${name}`
    schemas[`${id}.input`] = schemaOf(endpoint, endpoint.input, 'input')
    schemas[`${id}.output`] = schemaOf(endpoint, endpoint.output, 'output')
    paths[API_BASE + endpoint.path] = { post: operation(id, domain, endpoint, responses) }
  }
  Object.assign(paths, byteRoutePaths(responses))
  return {
    openapi: '3.1.0',
    info: { title: 'Maru (마루)', version: '1', description: INTRODUCTION },
    servers: [{ url: '/' }],
    tags: DOMAINS.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'header',
          name: SESSION_HEADER,
          description:
            'SESSION_UID as login and set/password answer it. Without the header SessionBinding no cookie is needed.',
        },
        service: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a service, as ins/Service answers it once.',
        },
        program: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a program, as ins/Program answers it once; for issuing keys alone.',
        },
      },
      responses,
      schemas,
    },
  }
}

const DOMAINS = [...new Set(endpoints.map(({ domain }) => domain))]

/** Returns the document in its printed form. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`
}

/** Returns a schema in the form of the wire (`contract/wire.ts`): the codec's names, Y and N, -1 for no limit. */
function schemaOf(call: Endpoint, schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { toWire: nameOf } = wireNames(call)
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: part }) {
      // The text that a filter transforms is also a string. Responses contain filters where they are stored
      // (rules/users#saved-searches).
      if (zodSchema._zod.def.type === 'transform') part.type = 'string'
      if (part.type === 'boolean') Object.assign(part, { type: 'string', enum: ['Y', 'N'] })
      if (typeof part.default === 'boolean') part.default = toWire(call, part.default) as string
      const { properties, required } = part
      if (required) part.required = required.map(nameOf)
      if (!properties) return
      part.properties = Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [nameOf(name), fieldOf(call, name, field)]),
      )
    },
  })
  return json
}

function fieldOf(call: Endpoint, name: string, field: z.core.JSONSchema._JSONSchema) {
  if (typeof field === 'boolean') return field
  const { toWire: nameOf, isLimit } = wireNames(call)
  if (holdsFieldName(name) && field.enum) {
    return { ...field, enum: field.enum.map((value) => value && nameOf(String(value))) }
  }
  if (!isLimit(name)) return field
  const [number = field] = field.anyOf ?? []
  return typeof number === 'object' && 'minimum' in number ? { ...number, minimum: NO_LIMIT } : number
}

/** @param responses where failures that calls have in common are put */
function operation(id: string, domain: string, endpoint: Endpoint, responses: Json): Json {
  const isPublic = endpoint.access === 'public'
  const limit =
    endpoint.limit &&
    `At most ${endpoint.limit.points} calls in ${endpoint.limit.seconds} s from one address.`
  return {
    operationId: id,
    tags: [domain],
    summary: endpoint.summary,
    description: [accessInWords(endpoint), limit, limitOfPerson(endpoint)]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    // With or without a session, because a public call may still identify the caller.
    security: isPublic
      ? [{}, { session: [] }]
      : [
          endpoint.access === 'service' ? { service: [] } : { session: [] },
          ...(endpoint.programs === true ? [{ program: [] }] : []),
        ],
    'x-access': endpoint.access,
    ...(endpoint.audit === 'none' ? {} : { 'x-audit': endpoint.audit }),
    ...(answersRanges(endpoint) && { parameters: RANGE_HEADERS }),
    requestBody: endpoint.body === 'multipart' ? upload(id) : envelopeBody(id, endpoint),
    responses: {
      ...success(id, endpoint),
      ...failuresOf([...sharedErrorsOf(endpoint), ...endpoint.errors], responses),
    },
  }
}

function limitOfPerson({ perPerson }: Endpoint): string {
  const { points, seconds } = PER_PERSON[perPerson]
  return `Class ${perPerson}: at most ${points} calls in ${seconds} s from one person.`
}

function accessInWords(endpoint: Endpoint): string {
  const { access, programs, duringPasswordChange } = endpoint
  if (access === 'public') return 'Needs no login.'
  if (access === 'service') return 'Needs the token of a service.'
  const who =
    access === 'signed-in'
      ? programs === true
        ? 'Needs a session, or the token of a program.'
        : 'Needs a session.'
      : `Needs a session whose role holds ${access.function.join(' or ')}.`
  if (duringPasswordChange === true)
    return `${who} Answered also while a temporary password waits to be changed, or a second factor to be set up.`
  return isDuringFactorSetUp(endpoint) ? `${who} Answered also while a second factor has to be set up.` : who
}

/** Returns the JSON Schema of DATA: Base64 text, and its decrypted contents (INTRODUCTION explains how). */
function envelope(holds: string): Json {
  return {
    type: 'string',
    contentEncoding: 'base64',
    contentMediaType: 'application/json',
    contentSchema: { $ref: `#/components/schemas/${holds}` },
  }
}

function envelopeBody(id: string, endpoint: Endpoint): Json {
  const mayBeEmpty = endpoint.input.safeParse({}).success
  const data = { DATA: envelope(`${id}.input`) }
  return {
    required: !mayBeEmpty,
    content: {
      'application/json': {
        schema: { type: 'object', properties: data, ...(mayBeEmpty ? {} : { required: ['DATA'] }) },
      },
    },
  }
}

function upload(id: string): Json {
  return {
    required: true,
    description: `Not enveloped. The fields come first, then one file of at most ${MAX_FILE_BYTES} bytes.`,
    content: {
      'multipart/form-data': {
        schema: {
          allOf: [
            { $ref: `#/components/schemas/${id}.input` },
            {
              type: 'object',
              properties: { FILE_0: { type: 'string', contentMediaType: 'application/octet-stream' } },
              required: ['FILE_0'],
            },
          ],
          unevaluatedProperties: false,
        },
      },
    },
  }
}

function success(id: string, endpoint: Endpoint): Json {
  if (answersRanges(endpoint)) return FILE_ANSWERS
  if (endpoint.answer === 'file') {
    const content = { 'application/octet-stream': {} }
    return { 200: { description: 'The file, raw; its name is in Content-Disposition.', content } }
  }
  const { message, mails } = endpoint
  const says = [
    ...(message === undefined ? [] : [`"${en.success[message]}"`]),
    ...(mails === undefined ? [] : [`without a mail server "${en.success[mails]}"`]),
  ]
  const msg = says.length > 0 && {
    msg: { type: 'string', description: `In the language of the request: ${says.join('; ')}` },
  }
  const properties = { DATA: envelope(`${id}.output`), ...msg }
  const required = message === undefined ? ['DATA'] : ['DATA', 'msg']
  return {
    200: {
      description: 'Done.',
      content: {
        'application/json': { schema: { type: 'object', properties, required } },
      },
    },
  }
}
