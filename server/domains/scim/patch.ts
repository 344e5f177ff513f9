import { refuseScim } from '../../http/scim-failure.ts'
import { type Attributes, change, changeAll, isObject, type Op } from './attributes.ts'
import { parsePath, URN } from './paths.ts'

/** Most operations of one PATCH. */
const MAX_OPERATIONS = 1_000

/** An operation of PATCH. */
export interface Operation {
  op: Op
  path: string | undefined
  value: unknown
}

/** Returns a field of an object by its name in any case. */
export const field = (object: Record<string, unknown>, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1]

/**
 * Returns the operations of a PATCH (RFC 7644). Names of operations may have any case, as Entra sends them.
 * @throws {ScimRefusal} invalidSyntax, noTarget
 */
export function operationsIn(body: unknown): Operation[] {
  const given = isObject(body) ? field(body, 'operations') : undefined
  const schemas = isObject(body) ? field(body, 'schemas') : undefined
  if (Array.isArray(schemas) && !schemas.includes(URN.patch))
    refuseScim('invalidSyntax', `schemas must be ${URN.patch}`)
  if (!Array.isArray(given) || given.length === 0)
    return refuseScim('invalidSyntax', 'Operations are missing')
  if (given.length > MAX_OPERATIONS)
    refuseScim('invalidValue', `there are more than ${MAX_OPERATIONS} operations`)
  return given.map((one: unknown) => {
    if (!isObject(one)) return refuseScim('invalidSyntax', 'an operation is not an object')
    const [named, path, value] = ['op', 'path', 'value'].map((name) => field(one, name))
    const op = typeof named === 'string' ? named.toLowerCase() : ''
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      return refuseScim('invalidSyntax', 'op must be add, replace or remove')
    if (path !== undefined && path !== null && typeof path !== 'string')
      refuseScim('invalidPath', 'path is not a text')
    const target = typeof path === 'string' && path.trim() !== '' ? path : undefined
    if (op === 'remove' && target === undefined) refuseScim('noTarget', 'remove needs a path')
    return { op, path: target, value }
  })
}

/** Applies a PATCH to a user. @throws {ScimRefusal} as `operationsIn` and `change` */
export function patchUser(user: Attributes, body: unknown): void {
  for (const { op, path, value } of operationsIn(body)) {
    if (path !== undefined) change(user, op, parsePath(path), value, true)
    else if (isObject(value)) changeAll(user, op, value)
    else refuseScim('invalidValue', 'an operation without a path needs an object as its value')
  }
}
