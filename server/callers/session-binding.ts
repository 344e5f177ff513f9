import type { FastifyRequest } from 'fastify'
import { BlockList, isIPv6 } from 'node:net'
import type { ErrorCode } from '../../contract/errors.ts'
import { type FunctionName, hasPower } from '../../contract/permissions.ts'
import type { SessionBinding } from '../../contract/settings/security.ts'
import type { Db } from '../db/database.ts'
import { recordAudit } from '../records/audit.ts'
import { notify } from '../records/notifications.ts'
import type { Settings } from '../services/settings.ts'
import { addressOf, networkOf } from './client-address.ts'
import { deviceOf } from './user-agent.ts'
import type { SignedIn } from './sessions.ts'

/**
 * Checks that a session may be used from the client's address. The first use from a network that the session is not bound to ends
 * the session, writes an audit row and notifies the user (rules/settings#session-binding).
 * @param session the result of `findSession`
 * @returns the user of the session; the code SESSION_MOVED if the session has ended so, or ADDRESS_REFUSED if an administrator
 * uses another network than those of the settings
 */
export async function checkSessionBinding(
  request: FastifyRequest,
  session: SignedIn | 'SESSION_MOVED',
  { db, settings }: { db: Db; settings: Settings },
): Promise<SignedIn | ErrorCode> {
  if (session === 'SESSION_MOVED') return session
  const { sessionBinding, adminNetworks } = settings.now()
  const address = addressOf(request)
  const { beganAt } = session
  if (beganAt !== undefined && boundPart(address, sessionBinding) !== boundPart(beganAt, sessionBinding)) {
    await endMovedSession(db, session, { address, beganAt, requestId: request.id })
    return 'SESSION_MOVED'
  }
  return isAdminNetworkAllowed(address, session.functions, adminNetworks) ? session : 'ADDRESS_REFUSED'
}

/**
 * Returns whether a user with these permissions may use the portal from an address (rules/settings#admin-networks). Without
 * networks, or without a privileged permission, every address is allowed.
 * @param networks networks of the settings, which may be single addresses
 */
export function isAdminNetworkAllowed(
  address: string,
  functions: readonly FunctionName[],
  networks: readonly string[],
): boolean {
  return networks.length === 0 || !hasPower(functions) || isInNetworks(address, networks)
}

/** Returns whether an address is in one of these networks, which may be single addresses. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const [plain = ''] = address.split('%')
  return blockListOf(networks).check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/** Block list of each list of networks, created once. */
const lists = new WeakMap<readonly string[], BlockList>()

/** Returns the networks as a `BlockList` of Node.js, which here lists allowed addresses. */
function blockListOf(networks: readonly string[]): BlockList {
  const cached = lists.get(networks)
  if (cached !== undefined) return cached
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', bits] = network.split('/')
    const family = isIPv6(base) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(base, family)
    else list.addSubnet(base, Number(bits), family)
  }
  lists.set(networks, list)
  return list
}

/**
 * Returns the part of an address that must stay the same in a session: '' for `off`, the whole address for `exact`, else its
 * network (/24 or /64).
 */
function boundPart(address: string, binding: SessionBinding): string {
  if (binding === 'off') return ''
  if (binding === 'exact') return canonical(address)
  const network = networkOf(address)
  return isIPv6(network.replace('/64', '')) ? network : network.split('.').slice(0, 3).join('.')
}

/** Returns one spelling of an IPv4 address. An IPv6 address stays, because a server spells it in one way. */
function canonical(address: string): string {
  const network = networkOf(address)
  return network.endsWith('/64') ? address : network
}

/** Marks a session as ended, notifies its user and writes an audit row. Does nothing if a concurrent call did. */
async function endMovedSession(
  db: Db,
  { id, userId, tokenHash }: SignedIn,
  { address, beganAt, requestId }: { address: string; beganAt: string; requestId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('sessions')
      .set({ movedAt: new Date() })
      .where('tokenHash', '=', tokenHash)
      // Only one of concurrent calls ends it.
      .where('movedAt', 'is', null)
      .returning('userAgent')
      .executeTakeFirst()
    if (ended === undefined) return
    const detail = { reason: 'moved', address, device: deviceOf(ended.userAgent) }
    await notify(tx, { kind: 'SESSION_ENDED', userId: id, detail })
    await recordAudit(tx, {
      action: 'account.session-ended',
      actorId: id,
      target: userId,
      detail: { reason: 'moved', loggedInFrom: beganAt },
      records: [`user/${id}`],
      address,
      requestId,
    })
  })
}
