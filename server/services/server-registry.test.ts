import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { deriveFrom } from './key-secret.ts'
import {
  type SharedServerConfig,
  checkServerCompatibility,
  registerServer,
  type Registration,
} from './server-registry.ts'
import { openDiskStorage } from './storage/disk.ts'

/* Several servers of one database (rules/running#alike). */
const maru = useMaru()
const folder = mkdtempSync(join(tmpdir(), 'maru-test-servers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let running: Registration[] = []
afterEach(async () => {
  for (const server of running) await server.leave()
  running = []
})

async function joinAs(own: Partial<SharedServerConfig> = {}): Promise<void> {
  running.push(await registerServer(maru.database.pool, { ...maru.services, ...own }))
}

const others = async (): Promise<Record<string, Partial<SharedServerConfig>>> => ({
  'STORAGE_URL or DATA_DIR': { storage: await openDiskStorage(join(folder, 'elsewhere')) },
  'KEY_SECRET and KEY_SECRET_OLD': { keySecret: deriveFrom('another-secret-than-all-the-others-have') },
  SMTP_URL: {
    config: {
      ...maru.services.config,
      secrets: { ...maru.services.config.secrets, smtpUrl: 'smtp://mail.example.com' },
    },
  },
  'ENVELOPE_KEY and ENVELOPE_IV': {
    config: { ...maru.services.config, envelope: { ...maru.services.config.envelope, iv: 'x'.repeat(16) } },
  },
})

test('accepts servers with the same storage, key secret, envelope and use of mail, and no others', async () => {
  await joinAs()
  await joinAs()
  for (const [variable, other] of Object.entries(await others()))
    await expect(joinAs(other)).rejects.toThrow(new RegExp(`^${variable}: another server of this database`))
  for (const server of running) await server.leave()
  for (const [, other] of Object.entries(await others()))
    await expect(
      checkServerCompatibility(maru.database.pool, { ...maru.services, ...other }),
    ).resolves.toBeUndefined()
})

test('ignores a killed server after 30 seconds, and takes a slow one back', async () => {
  await joinAs()
  await maru.database.pool.query(`update servers set seen_at = now() - interval '31 seconds'`)
  const { 'KEY_SECRET and KEY_SECRET_OLD': other = {} } = await others()
  await checkServerCompatibility(maru.database.pool, { ...maru.services, ...other })
  expect((await maru.database.pool.query('select from servers')).rowCount).toBe(0)
  await running[0]!.job.run()
  await expect(checkServerCompatibility(maru.database.pool, { ...maru.services, ...other })).rejects.toThrow(
    /^KEY_SECRET/,
  )
})

test('does not add a server again by a late heartbeat', async () => {
  await joinAs()
  await running[0]!.leave()
  await running[0]!.job.run()
  expect((await maru.database.pool.query('select from servers')).rowCount).toBe(0)
})
