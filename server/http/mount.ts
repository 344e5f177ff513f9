import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, maxBytesOf } from '../../contract/endpoint.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { catalogues } from '../../contract/messages/index.ts'
import { fromWire, toWire, wireNames } from '../../contract/wire.ts'
import { authenticate } from './authorize.ts'
import { refuseCrossSite, refuseOtherTypes } from './cross-site.ts'
import type { Envelope } from './envelope.ts'
import { languageOf } from './error-response.ts'
import { answerFile } from './file-response.ts'
import type { FileAnswer, Handler } from './handler.ts'
import { createInvocation, type InvokeOptions } from './invoke.ts'
import { addMultipartRoute, contentOf, openForm } from './multipart.ts'

/** Services and settings that mounting a call in the envelope needs. */
export interface MountOptions extends InvokeOptions {
  envelope: Envelope
}

/**
 * Mounts one call of the contract in the envelope (rules/wire#envelope): decodes the body, invokes the call, and
 * encodes the output or sends the file. Fields that the output schema lacks are left out. The steps of the call are in
 * `invoke.ts`.
 */
export function mount<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
  options: MountOptions,
): void {
  const { envelope } = options
  const isForm = endpoint.body === 'multipart'
  const names = wireNames(endpoint)
  const { limitCalls, findSender, invoke } = createInvocation(endpoint, handler, options, {
    authenticate: (request) => authenticate<E['access']>(request, endpoint, options),
    async read(request) {
      const form = isForm && request.isMultipart() ? await openForm(request, names) : null
      const input =
        form?.fields ?? fromWire(endpoint, await envelope.open(request.body as Buffer | undefined))
      return isForm ? { input, content: () => contentOf(form, names) } : { input }
    },
    names,
  })

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { output, message, cookies } = await invoke(request)
    if (isFileAnswer(output)) return answerFile(request, reply, output)

    if (cookies.length > 0) reply.header('Set-Cookie', cookies)
    // The schema strips fields that the contract does not have.
    const data = envelope.seal(toWire(endpoint, endpoint.output.parse(output)))
    const msg = message && catalogues[languageOf(request)].success[message]
    return reply.send(msg === undefined ? { DATA: data } : { DATA: data, msg })
  }

  if (isForm) addMultipartRoute(app, API_BASE + endpoint.path, limitCalls, answer)
  else {
    const onRequest = [refuseCrossSite, refuseOtherTypes, limitCalls, findSender]
    app.post(API_BASE + endpoint.path, { bodyLimit: maxBytesOf(endpoint), onRequest }, answer)
  }
}

/** Returns whether the output of a handler is a file. */
function isFileAnswer(output: unknown): output is FileAnswer {
  return (
    typeof output === 'object' && output !== null && 'open' in output && typeof output.open === 'function'
  )
}
