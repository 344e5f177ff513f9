import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { deriveFrom } from './key-secret.ts'
import { type Alike, checkServers, joinServers, type Membership } from './servers.ts'
import { openDiskStorage } from './storage/disk.ts'

/* Several servers of one database (rules/running#alike). */
const maru = useMaru()
const folder = mkdtempSync(join(tmpdir(), 'maru-test-servers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let running: Membership[] = []
afterEach(async () => {
  for (const server of running) await server.leave()
  running = []
})

async function joinAs(own: Partial<Alike> = {}): Promise<void> {
  running.push(await joinServers(maru.database.pool, { ...maru.services, ...own }))
}

const others = async (): Promise<Record<string, Partial<Alike>>> => ({
  'STORAGE_URL or DATA_DIR': { storage: await openDiskStorage(join(folder, 'elsewhere')) },
  'KEY_SECRET and KEY_SECRET_OLD': { keySecret: deriveFrom('another-secret-than-all-the-others-have') },
  'ENVELOPE_KEY and ENVELOPE_IV': {
    config: { ...maru.services.config, envelope: { ...maru.services.config.envelope, iv: 'x'.repeat(16) } },
  },
})

test('serve together with the same storage, key secret and envelope, and are refused with another one', async () => {
  await joinAs()
  await joinAs()
  for (const [variable, other] of Object.entries(await others()))
    await expect(joinAs(other)).rejects.toThrow(new RegExp(`^${variable}: another server of this database`))
  for (const server of running) await server.leave()
  for (const [, other] of Object.entries(await others()))
    await expect(checkServers(maru.database.pool, { ...maru.services, ...other })).resolves.toBeUndefined()
})

test('one that was killed is in nobody’s way after half a minute, and one that was only slow comes back', async () => {
  await joinAs()
  await maru.database.pool.query(`update servers set seen_at = now() - interval '31 seconds'`)
  const { 'KEY_SECRET and KEY_SECRET_OLD': other = {} } = await others()
  await checkServers(maru.database.pool, { ...maru.services, ...other })
  expect((await maru.database.pool.query('select from servers')).rowCount).toBe(0)
  await running[0]!.job.run()
  await expect(checkServers(maru.database.pool, { ...maru.services, ...other })).rejects.toThrow(
    /^KEY_SECRET/,
  )
})

test('who has left does not come back by a beat that was on its way', async () => {
  await joinAs()
  await running[0]!.leave()
  await running[0]!.job.run()
  expect((await maru.database.pool.query('select from servers')).rowCount).toBe(0)
})
