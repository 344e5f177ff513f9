import { createHash } from 'node:crypto'

/**
 * Returns the version of a record: a digest of the fields that its form edits, which the client sends back with a change. Unlike
 * a counter it changes with any change of these fields, by any code, and with nothing else.
 * @param edited values of the fields, always in the same order
 */
export function versionOf(edited: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22)
}
