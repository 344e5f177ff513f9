import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { EmbeddedConnection } from '../embedded.ts'
import { isAlive } from './lock.ts'

/**
 * Returns how to connect, as its owner, to the embedded database of a Maru that runs on `dataDir`, as PostgreSQL records it in
 * its folder.
 * @returns undefined if none runs or is ready
 */
export function findRunning(dataDir: string): EmbeddedConnection | undefined {
  const note = join(dataDir, 'postgres', 'postmaster.pid')
  if (!existsSync(note)) return undefined
  const [pid, , , port, socketDir = '', , , state] = readFileSync(note, 'utf8').split('\n')
  if (state?.trim() !== 'ready' || !isAlive(Number(pid))) return undefined
  const connection = { port: Number(port), user: 'maru', database: 'maru' }
  if (socketDir !== '') return { ...connection, host: resolve(dataDir, 'postgres', socketDir) }
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  return { ...connection, host: '127.0.0.1', password }
}
