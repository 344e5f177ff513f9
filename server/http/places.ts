import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { BlockList, isIPv6 } from 'node:net'
import { type ErrorCode, refuse } from '../../contract/errors.ts'
import { type FunctionName, hasPower } from '../../contract/permissions.ts'
import type { SessionBinding } from '../../contract/settings/security.ts'
import type { Database } from '../db/types.ts'
import { recordAudit } from '../services/audit.ts'
import { notify } from '../services/notifications.ts'
import type { Settings } from '../services/settings.ts'
import { addressOf, networkOf } from './address.ts'
import { deviceOf } from './device.ts'
import type { SignedIn } from './sessions.ts'

/** What looking at the place of a session needs. */
interface PlaceOptions {
  db: Kysely<Database>
  settings: Settings
}

/**
 * Whether a person may use their session from where the call comes; null where they may. A session that is used from elsewhere
 * than its settings allow is over from then on (rules/settings#session-binding), on record, and its person is told.
 */
export async function placeRefusal(
  request: FastifyRequest,
  person: SignedIn | 'moved',
  { db, settings }: PlaceOptions,
): Promise<ErrorCode | null> {
  if (person === 'moved') return 'SESSION_MOVED'
  const { sessionBinding, adminNetworks } = settings.now()
  const address = addressOf(request)
  const { beganAt } = person
  if (beganAt !== undefined && placeOf(address, sessionBinding) !== placeOf(beganAt, sessionBinding)) {
    await endMoved(db, person, { address, beganAt, requestId: request.id })
    return 'SESSION_MOVED'
  }
  return mayAdministerFrom(address, person.functions, adminNetworks) ? null : 'ADDRESS_REFUSED'
}

/**
 * Like `placeRefusal`, for whoever needs the session.
 * @throws {Refusal} SESSION_MOVED, ADDRESS_REFUSED
 */
export async function holdPlace(
  request: FastifyRequest,
  person: SignedIn | 'moved' | null,
  options: PlaceOptions,
): Promise<SignedIn | null> {
  if (person === null) return null
  const refusal = await placeRefusal(request, person, options)
  if (person === 'moved' || refusal !== null) refuse(refusal ?? 'SESSION_MOVED')
  return person
}

/** Whether somebody whose role holds these functions may come from an address (rules/settings#admin-networks). */
export function mayAdministerFrom(
  address: string,
  functions: readonly FunctionName[],
  networks: readonly string[],
): boolean {
  return networks.length === 0 || !hasPower(functions) || isWithin(address, networks)
}

/** Whether an address is one of these, or in one of these networks. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const [plain = ''] = address.split('%')
  return listOf(networks).check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

const lists = new WeakMap<readonly string[], BlockList>()

/** What Node.js calls a block list: here who is in it may come. */
function listOf(networks: readonly string[]): BlockList {
  const known = lists.get(networks)
  if (known !== undefined) return known
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

/** What has to be the same of two addresses for one session. */
function placeOf(address: string, binding: SessionBinding): string {
  if (binding === 'off') return ''
  if (binding === 'exact') return exactly(address)
  const network = networkOf(address)
  return isIPv6(network.replace('/64', '')) ? network : network.split('.').slice(0, 3).join('.')
}

/** IPv4 however it is written; IPv6 as it came, since one server writes every address in one way. */
function exactly(address: string): string {
  const network = networkOf(address)
  return network.endsWith('/64') ? address : network
}

async function endMoved(
  db: Kysely<Database>,
  { id, userId, tokenHash }: SignedIn,
  { address, beganAt, requestId }: { address: string; beganAt: string; requestId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('sessions')
      .set({ moved_at: new Date() })
      .where('token_hash', '=', tokenHash)
      // Of calls that come at once one ends it.
      .where('moved_at', 'is', null)
      .returning('user_agent')
      .executeTakeFirst()
    if (ended === undefined) return
    const detail = { reason: 'moved', address, device: deviceOf(ended.user_agent) }
    await notify(tx, { kind: 'SESSION_ENDED', userId: id, detail })
    await recordAudit(tx, {
      action: 'account.session-ended',
      actorId: id,
      target: userId,
      detail: { reason: 'moved', loggedInFrom: beganAt },
      address,
      requestId,
    })
  })
}
