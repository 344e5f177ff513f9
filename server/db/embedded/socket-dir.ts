import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Identity } from './os-user.ts'

/** Start of the name of a temporary socket directory. */
const PREFIX = 'maru-pg-'

/**
 * Returns the file that names the temporary socket directory of a cluster. It is next to the cluster, because PostgreSQL
 * deletes its own note of the socket when it ends. This note survives in whatever order Maru, its watchdog and PostgreSQL are
 * killed.
 */
function noteFile(dir: string): string {
  return `${dir}.socket`
}

/** Most bytes of a socket's path: 103 on macOS; Linux allows 107. */
const MAX_PATH_BYTES = 103

/** Name of the socket's folder in the cluster, and its value in `postmaster.pid`. */
export const SOCKET_FOLDER = 'socket'

/** Private directory of a socket. */
export interface SocketDir {
  /** Path for clients. */
  path: string
  /** Value of unix_socket_directories. */
  setting: string
  /** Directory to delete when PostgreSQL has ended; undefined for the one in the cluster. */
  temporary: string | undefined
}

/**
 * Creates the directory for the socket of the cluster in `dir`. It is in the cluster, where commands find it from other namespaces,
 * for example those of PrivateTmp. If its path would be too long, it is a temporary one, which a note names.
 * @param again previous directory, for clients that connect there
 * @throws if another user has created it meanwhile
 */
export function makeSocketDir(dir: string, identity: Identity | undefined, again?: string): SocketDir {
  const inside = join(dir, SOCKET_FOLDER)
  if (Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= MAX_PATH_BYTES) {
    // A lock that a killed PostgreSQL left there may name the process ID of another program.
    rmSync(inside, { recursive: true, force: true })
    mkdirSync(inside, { mode: 0o700 })
    if (identity) chownSync(inside, identity.uid, identity.gid)
    // Relative, because the user of PostgreSQL may not enter the parent directories.
    return { path: inside, setting: SOCKET_FOLDER, temporary: undefined }
  }
  // The TMPDIR of root may be a folder that only root can enter.
  const roomy = identity === undefined && Buffer.byteLength(tmpdir()) < 70
  if (again !== undefined) mkdirSync(again, { mode: 0o700 })
  const path = again ?? mkdtempSync(join(roomy || !existsSync('/tmp') ? tmpdir() : '/tmp', PREFIX))
  writeFileSync(noteFile(dir), path, { mode: 0o600 })
  if (identity) chownSync(path, identity.uid, identity.gid)
  return { path, setting: path, temporary: path }
}

/** Removes the temporary socket directory of the cluster in `dir`, whichever process created it. Does nothing if there is none. */
export function removeSocketDir(dir: string): void {
  const note = noteFile(dir)
  if (!existsSync(note)) return
  const socketDir = readFileSync(note, 'utf8')
  // After a torn write the note may contain any text. Only a directory with Maru's prefix may be removed.
  if (basename(socketDir).startsWith(PREFIX)) rmSync(socketDir, { recursive: true, force: true })
  rmSync(note, { force: true })
}
