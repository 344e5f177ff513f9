import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { API_BASE } from '../../contract/envelope.ts'
import { endpoints } from '../../contract/index.ts'
import { answerFailure } from './failure.ts'
import { ASSETS } from './pages.ts'

/** What no route answers: a refusal below /api (rules/wire#statuses), and the page for every address of its own. */
export async function answerNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = request.url.split('?')[0] ?? ''
  const isKnown = endpoints.some(({ endpoint }) => API_BASE + endpoint.path === path)
  if (isKnown) return answerFailure(request, reply.header('Allow', 'POST'), 'METHOD_NOT_ALLOWED')

  const isApi = path === API_BASE || path.startsWith(`${API_BASE}/`)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // A script of an older build is gone; the page must not be answered in its place and run as a script.
  if (isApi || !isRead || path.startsWith(ASSETS)) return answerFailure(request, reply, 'PATH_NOT_FOUND')

  // The page knows its own routes and shows its own 404.
  return reply.sendPage()
}

/**
 * Turns an address that is not a valid URL ('/%ff') into one that is: the router would refuse it in the framework's
 * words before any hook has run.
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
