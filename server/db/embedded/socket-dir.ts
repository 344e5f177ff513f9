import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Identity } from './identity.ts'

const PREFIX = 'maru-pg-'

// Beside the cluster, as nothing else outlives every order in which Maru, its guardian and PostgreSQL may be killed:
// PostgreSQL's own note of its socket goes when PostgreSQL does.
function noteFile(dir: string): string {
  return `${dir}.socket`
}

/**
 * Makes the private directory for the socket of the cluster in `dir`, and notes it there. A socket's path may have
 * 107 bytes at most, so it cannot lie in the data directory.
 * @param again where it was before, for those who connect there
 * @throws when somebody else has made it meanwhile
 */
export function makeSocketDir(dir: string, identity: Identity | undefined, again?: string): string {
  // Root's TMPDIR may be one that only root can enter.
  const roomy = identity === undefined && Buffer.byteLength(tmpdir()) < 70
  if (again !== undefined) mkdirSync(again, { mode: 0o700 })
  const socketDir = again ?? mkdtempSync(join(roomy || !existsSync('/tmp') ? tmpdir() : '/tmp', PREFIX))
  writeFileSync(noteFile(dir), socketDir, { mode: 0o600 })
  if (identity) chownSync(socketDir, identity.uid, identity.gid)
  return socketDir
}

/** Removes the socket directory of the cluster in `dir`, whichever process created it. Does nothing if there is none. */
export function removeSocketDir(dir: string): void {
  const note = noteFile(dir)
  if (!existsSync(note)) return
  const socketDir = readFileSync(note, 'utf8')
  // After a torn write the note may contain any text. Only a directory with Maru's prefix may be removed.
  if (basename(socketDir).startsWith(PREFIX)) rmSync(socketDir, { recursive: true, force: true })
  rmSync(note, { force: true })
}
