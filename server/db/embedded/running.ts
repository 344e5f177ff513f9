import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddedConnection } from '../embedded.ts'
import { isAlive } from './lock.ts'

/**
 * How to reach the own database that a Maru runs on `dataDir` now, as PostgreSQL notes it in its folder.
 * @returns undefined where none runs, or is not ready yet
 */
export function findRunning(dataDir: string): EmbeddedConnection | undefined {
  const note = join(dataDir, 'postgres', 'postmaster.pid')
  if (!existsSync(note)) return undefined
  const [pid, , , port, socketDir = '', , , state] = readFileSync(note, 'utf8').split('\n')
  if (state?.trim() !== 'ready' || !isAlive(Number(pid))) return undefined
  const connection = { port: Number(port), user: 'maru', database: 'maru' }
  if (socketDir !== '') return { ...connection, host: socketDir }
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  return { ...connection, host: '127.0.0.1', password }
}
