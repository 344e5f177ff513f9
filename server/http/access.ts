import type { FastifyRequest } from 'fastify'
import type { Endpoint, PersonalPlace } from '../../contract/endpoint.ts'
import { ERRORS, type ErrorCode, Refusal } from '../../contract/errors.ts'
import type { AccessLog } from '../services/access-log.ts'
import type { AuditedRecord } from '../services/audit.ts'
import { addressOf } from './address.ts'
import { noted, tellableId } from './refusals.ts'

/** The access of one call to personal data, on its way to the access log (rules/audit#access-log). */
export interface Access {
  /**
   * Its handler is about to begin.
   * @throws {Refusal} UNAVAILABLE or DISK_FULL while nothing can be put on record
   */
  begin(input: unknown): void
  /** Says whose data it touches: users.id. */
  touches(ids: readonly string[]): void
  /** The same by the records that it leaves in the audit trail. */
  touchesRecords(records: readonly AuditedRecord[]): void
  /** Says who it turned out to be that makes it. */
  actsAs(id: string): void
  /** Puts on record whose data leaves next in a file that is still being written. */
  leaving(ids: readonly string[]): Promise<void>
  /** Puts it on record as done; to be awaited before the answer leaves. */
  done(output: unknown): Promise<void>
  /** Puts on record that it was refused; what nobody in particular is refused is not. */
  refused(reason: unknown): Promise<void>
}

const NOBODY: Access = {
  begin: () => {},
  touches: () => {},
  touchesRecords: () => {},
  actsAs: () => {},
  leaving: async () => {},
  done: async () => {},
  refused: async () => {},
}

/** What a call leaves in the access log; nothing where it touches nobody's data. */
export function accessOf(
  { path, personal, answer }: Endpoint,
  request: FastifyRequest,
  log: AccessLog,
): Access {
  if (personal === 'none') return NOBODY
  const [act, ...places] = personal
  const people = new Set<string>()
  let isTold = false
  let actorId: string | undefined
  let begun: { input: unknown } | undefined

  const touches = (ids: readonly string[]) => {
    isTold = true
    for (const id of ids) people.add(id)
  }

  function write(result: '' | ErrorCode, ids: Iterable<string>, names: readonly string[]): Promise<void> {
    const { person, triedId } = noted(request)
    const isSearch = act === 'search' || act === 'export'
    return log.write({
      act,
      call: path,
      actorId: actorId ?? person?.id ?? null,
      actor: person?.userId ?? (triedId === undefined ? '' : tellableId(triedId)),
      address: addressOf(request),
      requestId: request.id,
      result,
      detail: isSearch ? filtersOf(begun?.input) : '',
      ids: [...ids],
      names,
    })
  }

  /** Whom the input names, the caller, and whom the handler told. */
  function asked(from: readonly PersonalPlace[], values: { in: unknown; out: unknown }) {
    const { person } = noted(request)
    if (from.includes('own') && person !== undefined) people.add(person.id)
    const names = from.flatMap((place) => {
      const [side, ...steps] = place.split('.')
      return side === 'in' || side === 'out' ? textsAt(values[side], steps) : []
    })
    return [...new Set(names.filter((name) => tellableId(name) !== ''))]
  }

  return {
    begin(input) {
      begun = { input }
      log.admit()
    },
    touches,
    touchesRecords(records) {
      touches(records.flatMap((record) => (record.startsWith('user/') ? [record.slice('user/'.length)] : [])))
    },
    actsAs(id) {
      actorId = id
    },
    leaving: (ids) => write('', new Set(ids), []),
    async done(output) {
      // What came of it says more than what was asked for.
      const outcome = places.filter((place) => !place.startsWith('in.'))
      const isOut = places.some((place) => place.startsWith('out.'))
      if (outcome.includes('told') && !isTold && answer !== 'file')
        throw new Error(`${path} does not say whose data it has touched`)
      const from = outcome.length > 0 ? outcome : places
      const names = asked(from, { in: begun?.input, out: isOut ? output : undefined })
      await write('', people, names)
    },
    async refused(reason) {
      const code = reason instanceof Refusal ? reason.code : undefined
      if (begun === undefined && !(code !== undefined && isOfRights(code, request))) return
      // Of what could not be done now nothing was done.
      if (code === 'UNAVAILABLE' || code === 'DISK_FULL') return
      const names = asked(places, { in: begun?.input, out: undefined })
      if (code !== undefined) return write(code, people, names)
      // What broke has changed nothing: that it was tried is worth a row, and no wait for it.
      void write('UNEXPECTED', people, names).catch(() => {})
    },
  }
}

/** Whether somebody who is signed in is told that they may not. */
function isOfRights(code: ErrorCode, request: FastifyRequest): boolean {
  if (noted(request).person?.userId === undefined) return false
  return ERRORS[code] === 403 || code === 'FUNCTION_DENIED'
}

/** The texts at a place such as `users[].userId`. */
function textsAt(value: unknown, steps: readonly string[]): string[] {
  const [step, ...more] = steps
  if (step === undefined) return typeof value === 'string' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  const isList = step.endsWith('[]')
  const next: unknown = (value as Record<string, unknown>)[isList ? step.slice(0, -2) : step]
  if (!isList) return textsAt(next, more)
  return Array.isArray(next) ? next.flatMap((each) => textsAt(each, more)) : []
}

/** Of what searches are made beside what they look for. */
const NO_FILTERS = 'page perPage sort order format reason password version lastLoginDays'.split(' ')

/** Which filters a search had. Their values are personal data themselves, and stay out (ADR 103). */
function filtersOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const given = Object.entries(input).filter(
    ([name, value]) => !NO_FILTERS.includes(name) && value !== '' && value !== false && value !== undefined,
  )
  return given.map(([name]) => name).join(',')
}
