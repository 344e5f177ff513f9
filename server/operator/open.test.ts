import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../../dev/test-kit/database.ts'
import { urlOf } from '../db/embedded.ts'
import { findRunning } from '../db/embedded/find-running.ts'
import { openForOperator } from './open.ts'
import { openDatabase } from '../db/open.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'maru-test-operator-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const where = { dataDir, databaseUrl: '', databaseOwnerUrl: '' }

describe('the own database of an operator command (rules/running#operator-commands)', () => {
  test('uses a running Maru’s database, or starts it for the command only', async () => {
    const running = await startTestServer(dataDir)
    const beside = await openForOperator(where, () => {})
    expect(beside.role).toBe(running.owner.user)
    const serving = await openDatabase({ ...running.connection }, () => {})
    await beside.close()
    expect((await serving.pool.query('select 1')).rowCount).toBe(1)
    await serving.close()
    await running.stop()

    const alone = await openForOperator(where, () => {})
    expect(findRunning(dataDir)).toBeDefined()
    await alone.close()
    expect(findRunning(dataDir)).toBeUndefined()
    // The directory is free again for the next process.
    await (await startTestServer(dataDir)).stop()
  })

  test('creates no database for a move that is refused (rules/running#move)', async () => {
    const running = await startTestServer(dataDir)
    const source = await openDatabase({ ...running.owner }, () => {})
    await source.pool.query(`create table servers as select 'a server' as name, now() as seen_at`)
    const target = join(dataDir, 'target')
    const file = join(import.meta.dirname, '../cli/move.ts')
    const env = { PATH: process.env['PATH'], DATABASE_URL: urlOf(running.owner), DATA_DIR: target }
    const { stderr } = spawnSync(process.execPath, [file, 'own'], { cwd: dataDir, env, encoding: 'utf8' })
    expect(stderr).toMatch(/^Maru is running on this database \(a server\)/)
    expect(existsSync(target)).toBe(false)
    await source.pool.query('drop table servers')
    await source.close()
    await running.stop()
  })

  test('names the target of a move that is unreachable', () => {
    const file = join(import.meta.dirname, '../cli/move.ts')
    const env = {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      MOVE_TO_URL: 'postgres://nobody@127.0.0.1:1/none',
    }
    const { stderr } = spawnSync(process.execPath, [file], { cwd: dataDir, env, encoding: 'utf8' })
    expect(stderr).toMatch(/^The target: the database cannot be used/)
  })

  test('refuses an unreachable database in one line', async () => {
    await expect(
      openForOperator({ ...where, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' }, () => {}),
    ).rejects.toThrow(/^DATABASE_URL: the database cannot be used/)
  })
})
