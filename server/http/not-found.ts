import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { API_BASE, PLAIN_BASE, SCIM_BASE } from '../../contract/envelope.ts'
import { endpoints } from '../../contract/index.ts'
import { answerFailure } from './error-response.ts'
import { ASSETS } from './pages.ts'

/**
 * Sends the response for a request without a route: METHOD_NOT_ALLOWED for the path of a call; PATH_NOT_FOUND below
 * /api, for assets and for all but GET and HEAD (rules/wire#statuses); else the page, which shows its own 404.
 */
export async function answerNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = request.url.split('?')[0] ?? ''
  const isKnown = endpoints.some(
    ({ domain, name, endpoint }) =>
      API_BASE + endpoint.path === path ||
      (endpoint.scope !== undefined && `${PLAIN_BASE}/${domain}/${name}` === path),
  )
  if (isKnown) return answerFailure(request, reply.header('Allow', 'POST'), 'METHOD_NOT_ALLOWED')

  const isApi = [API_BASE, SCIM_BASE].some((base) => path === base || path.startsWith(`${base}/`))
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // A missing script of an older build: the page must not be sent instead and run as a script.
  if (isApi || !isRead || path.startsWith(ASSETS)) return answerFailure(request, reply, 'PATH_NOT_FOUND')

  // The page has its own routes and its own 404.
  return reply.sendPage()
}

/**
 * Returns the URL of a request for the router. Escapes an invalid URL such as '/%ff': the router would reject it with
 * an error of the framework before any hook runs.
 */
export function readableUrl({ url = '/' }: IncomingMessage): string {
  if (!url.includes('%')) return url
  try {
    decodeURI(url)
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}
