import type { FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import type { Config } from '../config.ts'

/** TRUST_PROXY in Fastify's words: of a number of proxies in a row, the nearest ones are trusted. */
export function trustOf(
  proxies: Config['trustProxy'],
): false | string | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/**
 * Where a call comes from, after TRUST_PROXY. A trusted proxy may still hand on what a client made up:
 * what is no address counts as the proxy's own.
 */
export function addressOf(request: FastifyRequest): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '') : request.ip
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/** Whether a program on this machine makes the call itself: not a proxy for somebody elsewhere. */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '')
}
