import { refuseScim } from '../../http/scim-failure.ts'
import { isObject, parsePath, type Path, parseKey, URN } from './paths.ts'

/** Most operations of one PATCH. */
const MAX_OPERATIONS = 1_000

/** Change of one attribute that a request describes. */
export interface Step {
  op: 'add' | 'replace' | 'remove'
  path: Path
  value: unknown
  /** True for an explicit path: an unknown or read-only attribute is refused instead of ignored. */
  isStrict: boolean
}

/**
 * Returns the field of an object whose name is this one in any case; undefined without one.
 * @param name in lower case
 */
export const field = (object: Record<string, unknown>, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1]

/**
 * Returns a step for each key of an object: the body of a POST or PUT, or the value of an operation. A key may be a
 * path. Leaves out a key that is no path; unknown attributes are ignored later (`isStrict` is false).
 * @throws {ScimRefusal} invalidSyntax if `body` is not an object
 */
export function stepsOf(op: Step['op'], body: unknown): Step[] {
  if (!isObject(body)) return refuseScim('invalidSyntax', 'the body is not a JSON object')
  return Object.entries(body).flatMap(([key, value]) => {
    const path = parseKey(key)
    return path === undefined ? [] : [{ op, path, value, isStrict: false }]
  })
}

/**
 * Returns the steps of the operations in the body of a PATCH (RFC 7644). Names of operations may have any case, as
 * Entra sends them.
 * @throws {ScimRefusal} invalidSyntax, noTarget, invalidPath, invalidFilter; invalidValue, also for more than
 * MAX_OPERATIONS
 */
export function parsePatch(body: unknown): Step[] {
  const [given, schemas] = ['operations', 'schemas'].map((name) =>
    isObject(body) ? field(body, name) : undefined,
  )
  if (Array.isArray(schemas) && !schemas.includes(URN.patch))
    refuseScim('invalidSyntax', `schemas must be ${URN.patch}`)
  if (!Array.isArray(given) || given.length === 0)
    return refuseScim('invalidSyntax', 'Operations are missing')
  if (given.length > MAX_OPERATIONS)
    refuseScim('invalidValue', `there are more than ${MAX_OPERATIONS} operations`)
  return given.flatMap((one: unknown) => {
    if (!isObject(one)) return refuseScim('invalidSyntax', 'an operation is not an object')
    const [named, path, value] = ['op', 'path', 'value'].map((name) => field(one, name))
    const op = typeof named === 'string' ? named.toLowerCase() : ''
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      return refuseScim('invalidSyntax', 'op must be add, replace or remove')
    const target = path ?? ''
    if (typeof target !== 'string') return refuseScim('invalidPath', 'path is not a text')
    if (target.trim() !== '') return { op, path: parsePath(target), value, isStrict: true }
    if (op === 'remove') refuseScim('noTarget', 'remove needs a path')
    if (!isObject(value))
      refuseScim('invalidValue', 'an operation without a path needs an object as its value')
    return stepsOf(op, value)
  })
}
