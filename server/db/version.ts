import { createHash } from 'node:crypto'

/**
 * VERSION of a record: a digest of what its form edits. Not a counter: whatever call changes the record, now or in a
 * later version of Maru, gives it another one, and what no form shows leaves it alone.
 */
export function versionOf(edited: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22)
}
