import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Identity } from './identity.ts'

const PREFIX = 'maru-pg-'

// The note is next to the cluster, because PostgreSQL deletes its own note of the socket when it ends. This note survives
// whatever order Maru, its guardian and PostgreSQL are killed in.
function noteFile(dir: string): string {
  return `${dir}.socket`
}

/**
 * Creates the private directory for the socket of the cluster in `dir`, and notes it there. A socket's path may have 107 bytes at
 * most, so it cannot be in the data directory.
 * @param again previous directory, for clients that connect there
 * @throws if another user has created it meanwhile
 */
export function makeSocketDir(dir: string, identity: Identity | undefined, again?: string): string {
  // The TMPDIR of root may be a folder that only root can enter.
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
