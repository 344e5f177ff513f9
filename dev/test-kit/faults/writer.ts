import type { Endpoint, InputOf } from '../../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import { approveRequests } from '../../../contract/approvals.ts'
import { issueKey } from '../../../contract/keys.ts'
import { BULLET, createNotice } from '../../../contract/notices.ts'
import { createPartner } from '../../../contract/partners.ts'
import { registerUser } from '../../../contract/users.ts'
import { portalAt } from '../portal.ts'
import { sealInput, openOutput } from '../seal.ts'

/** Kinds of writes, from which a writer takes a random one. Each kind uses different calls. */
export const KINDS = ['person', 'notice', 'file', 'partner', 'key', 'approval'] as const
/** A kind of write. */
export type Kind = (typeof KINDS)[number]

/** Size in bytes of every file; all have the same content. */
export const FILE_BYTES = 40_000

/** An acknowledged write: its kind, and the name by which a test finds it. */
export interface Write {
  kind: Kind
  name: string
}

/** Server, accounts and requests that the writer uses. */
export interface Desk {
  port: number
  /** sessionUid of the administrator; `password` is the administrator's. */
  admin: string
  password: string
  /** sessionUid of a user of a partner, who requests keys. */
  holder: string
  /** Requests that wait for a decision: approval_requests.id and login ID. */
  waiting: { id: string; loginId: string }[]
}

/** Thrown when a call has another status than 200. */
class NotDone extends Error {}

/** Number of calls and writes so far. It makes names and client addresses unique. */
let count = 0

/** Creates a generator of numbers from 0 to below 1, identical for the same seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Makes one call from a new address, so that limits per address do not apply, and returns its output.
 * @param session sessionUid; '' for none
 * @throws {NotDone} if the status is not 200
 * @throws {Error} if the connection breaks, or after 90 seconds
 */
export async function callAt<E extends Endpoint>(
  port: number,
  endpoint: E,
  input: InputOf<E>,
  session = '',
): Promise<unknown> {
  count += 1
  const answer = await fetch(`http://127.0.0.1:${port}${API_BASE}${endpoint.path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`,
      [SESSION_HEADER]: session,
    },
    body: sealInput(endpoint, input),
    signal: AbortSignal.timeout(90_000),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new NotDone(`${endpoint.path}: ${answer.status} ${text}`)
  return openOutput(endpoint, text)
}

/**
 * Writes one record of a kind. An approval takes the last request from `desk.waiting`.
 * @returns the write, which the server has acknowledged
 * @throws {Error} if it was not acknowledged; the record may exist or not
 * @throws {NotDone} for an approval if no request is waiting
 */
export async function writeOne(desk: Desk, kind: Kind): Promise<Write> {
  const { port, admin, holder, password } = desk
  count += 1
  const name = `w.${count}`
  switch (kind) {
    case 'person': {
      const input = {
        userId: name,
        password: '푸른-바다-7고래',
        affiliationCode: 'BEL001',
        position: '과장',
        name: '김하늘',
        phoneNumber: '01098765432',
        email: `${name}@example.com`,
        validFrom: '2026-01-01',
        validTo: '2099-12-31',
        partnerCode: 'HEAD-1',
        roleCode: 'AUT003',
        approvalCode: 'MEMAP001',
        managerPassword: password,
      } as const
      await callAt(port, registerUser, input, admin)
      return { kind, name }
    }
    case 'notice':
    case 'file': {
      const input = { bulletCode: BULLET.notice, title: name, memo: name.repeat(200) }
      const { noticeId } = (await callAt(port, createNotice, input, admin)) as { noticeId: string }
      if (kind === 'file') await portalAt(port, admin).sendForm(noticeId, { name, size: FILE_BYTES })
      return { kind, name }
    }
    case 'partner': {
      const input = {
        partnerCode: name.toUpperCase().replace('.', '-'),
        partnerType: 'pa',
        maxKeysPerDay: null,
        maxKeysPerWeek: null,
        maxKeysPerMonth: null,
        maxKeysTotal: null,
        validFrom: '2026-01-01',
        validTo: '2099-12-31 23:59:59',
        affiliationCode: 'BEL008',
        longitude: 126.9774,
        latitude: 37.5949,
        provinceName: '서울특별시',
        districtName: '종로구',
      } as const
      await callAt(port, createPartner, input, admin)
      return { kind, name: input.partnerCode }
    }
    case 'key':
      await callAt(port, issueKey, { requestKey: name }, holder)
      return { kind, name }
    case 'approval': {
      const request = desk.waiting.pop()
      if (request === undefined) throw new NotDone('nobody waits')
      const validity = { validFrom: '2026-01-01', validTo: '2099-12-31' }
      const partners = [{ affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }]
      const input = { requests: [request.id], ...validity, roleCode: 'AUT003', partners }
      await callAt(port, approveRequests, input, admin)
      return { kind, name: request.loginId }
    }
  }
}
