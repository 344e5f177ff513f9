import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { SCIM_BASE } from '../../../contract/envelope.ts'
import { refuse } from '../../../contract/errors.ts'
import { scimRequests } from '../../../contract/scim-requests.ts'
import { addressOf } from '../../callers/client-address.ts'
import { type ProviderCaller, requireScimProvider } from '../../callers/scim-tokens.ts'
import { refuseCrossSite } from '../../http/cross-site.ts'
import { answerFailure } from '../../http/error-response.ts'
import type { CallerOf, Handler } from '../../http/handler.ts'
import { createInvocation, type InvokeOptions } from '../../http/invoke.ts'
import { isWithinJsonLimits } from '../../http/json-limits.ts'
import { tokenKey } from '../../callers/bearer-tokens.ts'
import { addRequestNotes } from '../../http/refusal-tracking.ts'
import { refuseScim, SCIM_TYPE } from '../../http/scim-failure.ts'
import { descriptions } from './descriptions.ts'
import { isStop, recordStop } from './endings.ts'
import { groupRequests } from './groups.ts'
import { userRequests } from './users.ts'

/** Most bytes of the body of a request. */
const MAX_BYTES = 1024 * 1024

/** Pattern of the content type of a body: JSON or SCIM, with any parameters. */
const TYPE = /^\s*application\/(?:scim\+)?json\s*(;|$)/i

/** Methods of requests that a URL may have. A URL answers others of these with METHOD_NOT_ALLOWED. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Method of a request. */
type Method = (typeof METHODS)[number]

/**
 * Mounts SCIM 2.0 (rules/scim#requests): each request is translated into one invocation, with the limits, logs and queue of a
 * call. The token of the request names the provider. The first request that is refused with SCIM_STOPPED marks the provider as
 * stopped (`recordStop`). Other methods of a URL get METHOD_NOT_ALLOWED.
 */
export function mountScim(app: FastifyInstance, options: InvokeOptions): void {
  const methodsOf = new Map<string, Method[]>()
  /** Routes a request of SCIM to its handler. */
  function on<E extends Endpoint>(method: Method, url: string, endpoint: E, handler: Handler<E>) {
    methodsOf.set(url, [...(methodsOf.get(url) ?? []), method])
    const callers = new WeakMap<FastifyRequest, Promise<ProviderCaller>>()
    const find = async (request: FastifyRequest) => {
      const caller = await requireScimProvider(options.pool, request)
      addRequestNotes(request, {
        provider: `SCIM: ${caller.name}`,
        token: tokenKey('scim', caller.providerId),
      })
      await options.callLimits.use(endpoint.perPerson, `provider ${caller.providerId}`)
      return caller
    }
    const { limitCalls, findSender, invoke } = createInvocation(endpoint, handler, options, {
      // Once for a request, so that it counts once.
      async authenticate(request) {
        const caller = callers.get(request) ?? find(request)
        callers.set(request, caller)
        return (await caller) as CallerOf<E['access']>
      },
      read: async (request) => ({ input: readInput(request, options.services) }),
      names: { toWire: (name) => name },
    })
    app.route({
      method,
      url: SCIM_BASE + url,
      bodyLimit: MAX_BYTES,
      onRequest: [refuseCrossSite, refuseOtherTypes, limitCalls, findSender],
      async handler(request, reply) {
        try {
          return sendResponse(reply, endpoint.output.parse((await invoke(request)).output))
        } catch (error) {
          const caller = isStop(error) ? await callers.get(request) : undefined
          if (caller !== undefined)
            await recordStop(options.db, caller, { address: addressOf(request), requestId: request.id })
          throw error
        }
      },
    })
  }

  on('GET', '/Users', scimRequests.listUsers, userRequests.listUsers)
  on('POST', '/Users', scimRequests.createUser, userRequests.createUser)
  on('GET', '/Users/:id', scimRequests.getUser, userRequests.getUser)
  on('PUT', '/Users/:id', scimRequests.changeUser, userRequests.replaceUser)
  on('PATCH', '/Users/:id', scimRequests.changeUser, userRequests.patchUser)
  on('DELETE', '/Users/:id', scimRequests.withdrawUser, userRequests.withdrawUser)
  on('GET', '/Groups', scimRequests.listGroups, groupRequests.listGroups)
  on('POST', '/Groups', scimRequests.changeGroup, groupRequests.createGroup)
  on('GET', '/Groups/:id', scimRequests.getGroup, groupRequests.getGroup)
  on('PUT', '/Groups/:id', scimRequests.changeGroup, groupRequests.replaceGroup)
  on('PATCH', '/Groups/:id', scimRequests.changeGroup, groupRequests.patchGroup)
  on('DELETE', '/Groups/:id', scimRequests.changeGroup, groupRequests.deleteGroup)
  for (const [url, describe] of Object.entries(descriptions))
    on('GET', url, scimRequests.describe, async (_, { base, id }) => ({
      status: 200,
      resource: describe(base, id),
    }))
  for (const [url, methods] of methodsOf)
    app.route({
      method: [...METHODS, 'OPTIONS' as const].filter((method) => !methods.includes(method as Method)),
      url: SCIM_BASE + url,
      handler: async (request, reply) =>
        answerFailure(request, reply.header('Allow', methods.join(', ')), 'METHOD_NOT_ALLOWED', {
          scim: { detail: `use ${methods.join(', ')}` },
        }),
    })
}

/** Sends a response with its resource, if it has one, and the URL of the resource as `Location`. */
function sendResponse(reply: FastifyReply, output: unknown): FastifyReply {
  const { status, resource } = output as { status: number; resource?: { meta?: { location?: string } } }
  if (resource === undefined) return reply.status(status).send()
  const location = resource.meta?.location
  if (location !== undefined) reply.header('Location', location)
  return reply.status(status).type(SCIM_TYPE).send(JSON.stringify(resource))
}

/**
 * Refuses a body of another type than JSON and SCIM.
 * @throws {Refusal} CONTENT_TYPE_UNSUPPORTED
 */
async function refuseOtherTypes({ headers }: FastifyRequest): Promise<void> {
  const { 'content-type': type } = headers
  const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && (type === undefined || !TYPE.test(type))) refuse('CONTENT_TYPE_UNSUPPORTED')
}

/**
 * Returns the input of a request: the ID in the URL, the query parameters and the body, and the URL of the portal's
 * SCIM.
 * @throws {ScimRefusal} as `parseBody`
 */
function readInput(request: FastifyRequest, { settings }: InvokeOptions['services']) {
  const { id = '' } = request.params as { id?: string }
  const query = new Map(Object.entries(request.query as Record<string, unknown>))
  const textOf = (name: string) => {
    const value = [query.get(name)].flat()[0]
    return typeof value === 'string' ? value : ''
  }
  return {
    base: settings.link(SCIM_BASE) ?? `${request.protocol}://${request.host}${SCIM_BASE}`,
    id,
    filter: textOf('filter'),
    startIndex: textOf('startIndex'),
    count: textOf('count'),
    attributes: textOf('attributes'),
    excludedAttributes: textOf('excludedAttributes'),
    body: parseBody(request.body as Buffer | undefined),
  }
}

/**
 * Returns the JSON of a body; undefined without a body.
 * @throws {ScimRefusal} invalidSyntax
 */
function parseBody(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined
  if (!isWithinJsonLimits(body))
    refuseScim('invalidSyntax', 'the JSON is nested too deep, or has too many values')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return refuseScim('invalidSyntax', 'the body is not JSON in UTF-8')
  }
}
