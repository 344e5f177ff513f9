import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../../dev/test-kit/database.ts'
import { findRunning } from '../db/embedded/running.ts'
import { countServers, openForOperator } from './open.ts'
import { openDatabase } from '../db/open.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'maru-test-operator-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const where = { dataDir, databaseUrl: '', databaseOwnerUrl: '' }

describe('the own database of an operator command (rules/running#operator-commands)', () => {
  test('is the one that a Maru runs, which goes on; without one it is started for the command alone', async () => {
    const running = await startTestServer(dataDir)
    const beside = await openForOperator(where, () => {})
    expect(await countServers(beside.pool)).toBe(0)
    expect(beside.role).toBe(running.owner.user)
    const serving = await openDatabase({ ...running.connection }, () => {})
    expect(await countServers(beside.pool)).toBe(1)
    await beside.close()
    expect((await serving.pool.query('select 1')).rowCount).toBe(1)
    await serving.close()
    await running.stop()

    const alone = await openForOperator(where, () => {})
    expect(findRunning(dataDir)).toBeDefined()
    await alone.close()
    expect(findRunning(dataDir)).toBeUndefined()
    // It is free again for whoever comes next.
    await (await startTestServer(dataDir)).stop()
  })

  test('that cannot be reached is refused in one line', async () => {
    await expect(
      openForOperator({ ...where, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' }, () => {}),
    ).rejects.toThrow(/^DATABASE_URL: the database cannot be used/)
  })
})
