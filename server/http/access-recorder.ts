import type { FastifyRequest } from 'fastify'
import type { Endpoint, PersonalPlace } from '../../contract/endpoint.ts'
import { ERRORS, type ErrorCode, Refusal } from '../../contract/errors.ts'
import type { AccessLog } from '../services/access-log.ts'
import type { AuditedRecord } from '../records/audit.ts'
import { addressOf } from '../callers/client-address.ts'
import { TOKEN_MARK } from '../callers/bearer-tokens.ts'
import { loggableLoginId, requestNotes } from './refusal-tracking.ts'

/** Recorder of one call's access to personal data in the access log (rules/audit#access-log). */
export interface AccessRecorder {
  /**
   * Stores the input, whose login IDs and filter names go into the row, and checks that the log can be written. Called before the
   * handler.
   * @throws {Refusal} UNAVAILABLE or DISK_FULL if it cannot
   */
  begin(input: unknown): void
  /** Adds users whose data the call accesses (data subjects), by users.id. */
  addSubjects(ids: readonly string[]): void
  /** Adds the users among the records of an audit row (`user/<users.id>`) as data subjects; ignores other records. */
  addSubjectsOfRecords(records: readonly AuditedRecord[]): void
  /** Sets the user who makes the call, if only the handler finds them: users.id. */
  setActor(id: string): void
  /**
   * Writes the data subjects of the next chunk of a file that is sent while it is written. Await it before the chunk is
   * sent.
   */
  recordExported(ids: readonly string[]): Promise<void>
  /**
   * Writes the row of a call that succeeded. Await it before the response is sent. Its subjects are the added ones and those that
   * `personal` takes from the output; those of the input count only if `personal` names no other source.
   * @throws {Error} if the endpoint declares `told` and the handler has added no subjects, unless it answers with a file
   */
  recordSuccess(output: unknown): Promise<void>
  /**
   * Writes the row of a call that failed, with its error code: with the added subjects and those of the input. Writes none for
   * UNAVAILABLE and DISK_FULL. Before `begin` it writes one only if a known user lacks the permission.
   */
  recordFailure(reason: unknown): Promise<void>
}

/** Recorder of a call without personal data, which does nothing. */
const NO_RECORDER: AccessRecorder = {
  begin: () => {},
  addSubjects: () => {},
  addSubjectsOfRecords: () => {},
  setActor: () => {},
  recordExported: async () => {},
  recordSuccess: async () => {},
  recordFailure: async () => {},
}

/**
 * Creates the access-log recorder of a call. All its functions do nothing if the endpoint declares `personal: 'none'`.
 * The recorder begins when `begin` is called, before the handler.
 */
export function createAccessRecorder(
  { path, personal, answer }: Endpoint,
  request: FastifyRequest,
  log: AccessLog,
): AccessRecorder {
  if (personal === 'none') return NO_RECORDER
  const [act, ...places] = personal
  const subjects = new Set<string>()
  let hasReported = false
  let actorId: string | undefined
  let begun: { input: unknown } | undefined

  const addSubjects = (ids: readonly string[]) => {
    hasReported = true
    for (const id of ids) subjects.add(id)
  }

  /**
   * Writes a row of this call, with the caller, the token and the filter names of a search.
   * @throws {Refusal} as `write` of `AccessLog`
   */
  function write(result: '' | ErrorCode, ids: Iterable<string>, names: readonly string[]): Promise<void> {
    const { person, triedId, provider = '', token } = requestNotes(request)
    const isSearch = act === 'search' || act === 'export'
    const details = [
      isSearch ? filterNamesOf(begun?.input) : '',
      token === undefined ? '' : TOKEN_MARK + token,
    ]
    return log.write({
      act,
      call: path,
      actorId: actorId ?? person?.id ?? null,
      actor: person?.userId ?? (triedId === undefined ? provider : loggableLoginId(triedId)),
      address: addressOf(request),
      requestId: request.id,
      result,
      detail: details.filter(Boolean).join(','),
      ids: [...ids],
      names,
    })
  }

  /**
   * Adds the caller as a subject if `from` has `own`.
   * @returns the login IDs at the places of input and output that `from` names, without texts that are no login ID
   */
  function collectSubjects(from: readonly PersonalPlace[], values: { in: unknown; out: unknown }) {
    const { person } = requestNotes(request)
    if (from.includes('own') && person !== undefined) subjects.add(person.id)
    const names = from.flatMap((place) => {
      const [side, ...steps] = place.split('.')
      return side === 'in' || side === 'out' ? textsAt(values[side], steps) : []
    })
    return [...new Set(names.filter((name) => loggableLoginId(name) !== ''))]
  }

  return {
    begin(input) {
      begun = { input }
      log.admit()
    },
    addSubjects,
    addSubjectsOfRecords(records) {
      addSubjects(
        records.flatMap((record) => (record.startsWith('user/') ? [record.slice('user/'.length)] : [])),
      )
    },
    setActor(id) {
      actorId = id
    },
    recordExported: (ids) => write('', new Set(ids), []),
    async recordSuccess(output) {
      // The outcome names the subjects better than the input does.
      const outcome = places.filter((place) => !place.startsWith('in.'))
      const isOut = places.some((place) => place.startsWith('out.'))
      if (outcome.includes('told') && !hasReported && answer !== 'file')
        throw new Error(`${path} has not called touches`)
      const from = outcome.length > 0 ? outcome : places
      const names = collectSubjects(from, { in: begun?.input, out: isOut ? output : undefined })
      await write('', subjects, names)
    },
    async recordFailure(reason) {
      const code = reason instanceof Refusal ? reason.code : undefined
      if (begun === undefined && !(code !== undefined && isPermissionDenied(code, request))) return
      // These calls have read and changed nothing.
      if (code === 'UNAVAILABLE' || code === 'DISK_FULL') return
      const names = collectSubjects(places, { in: begun?.input, out: undefined })
      if (code !== undefined) return write(code, subjects, names)
      // Not awaited: a call that broke has changed nothing, and its error must not wait for the log.
      void write('UNEXPECTED', subjects, names).catch(() => {})
    },
  }
}

/**
 * Returns whether a call was refused because its user lacks a permission: the code has the status 403 or is FUNCTION_DENIED, and
 * the session lookup has found the user.
 */
function isPermissionDenied(code: ErrorCode, request: FastifyRequest): boolean {
  if (requestNotes(request).person?.userId === undefined) return false
  return ERRORS[code] === 403 || code === 'FUNCTION_DENIED'
}

/** Returns the texts at a path such as `['users[]', 'userId']`; none if the value has no such part. */
function textsAt(value: unknown, steps: readonly string[]): string[] {
  const [step, ...more] = steps
  if (step === undefined) return typeof value === 'string' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  const isList = step.endsWith('[]')
  const next: unknown = (value as Record<string, unknown>)[isList ? step.slice(0, -2) : step]
  if (!isList) return textsAt(next, more)
  return Array.isArray(next) ? next.flatMap((each) => textsAt(each, more)) : []
}

/** Input fields of searches that the log does not list as filters. */
const NO_FILTERS = 'page perPage sort order columns format reason password version lastLoginDays'.split(' ')

/** Returns whether a value of an input narrows a search: false for '', false, undefined, and an empty list or object. */
export const isGivenFilter = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== '' && value !== false && value !== undefined

/**
 * Returns the names of the filters of a search, separated by commas. Their values are personal data, so the log has no
 * values (design/access-log#write-before-the-response).
 */
function filterNamesOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const given = Object.entries(input).filter(
    ([name, value]: [string, unknown]) => !NO_FILTERS.includes(name) && isGivenFilter(value),
  )
  return given.map(([name]) => name).join(',')
}
