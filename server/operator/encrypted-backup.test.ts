import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openStorage } from '../create-services.ts'
import type { OpenDatabase } from '../db/open.ts'
import { readKeySecret } from '../services/key-secret.ts'
import { AGE_HEADER, makeAgeKeys, type AgeKeys } from '../../dev/test-kit/age.ts'
import { createEmptyDatabase } from '../../dev/test-kit/empty-database.ts'
import { attach, writeNotice } from '../../dev/test-kit/files.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { backUp } from './backup.ts'
import { readIdentities, readPart, writePart } from './encryption.ts'
import { fileOf, MANIFEST, readManifest } from './manifest.ts'
import { openBackup, restore } from './restore.ts'

const maru = useMaru()
const silent = () => {}

let root: string
let folder: string
let dataDir: string
let empty: OpenDatabase
let keys: AgeKeys

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'maru-test-encrypted-'))
  folder = join(root, 'backup')
  dataDir = join(root, 'restored')
  empty = await createEmptyDatabase()
  keys = await makeAgeKeys(join(root, 'identity.txt'))
})

afterEach(async () => {
  await empty.close()
  rmSync(root, { recursive: true, force: true })
})

function take(recipients = [keys.recipient]) {
  const { database, services } = maru
  const keySecret = readKeySecret(readConfig({ DATA_DIR: maru.dataDir }))
  const { storage } = services
  return backUp({
    pool: database.pool,
    storage,
    keySecret,
    dataDir: maru.dataDir,
    folder,
    recipients,
    say: silent,
  })
}

async function bringBack(identityFile = keys.identityFile) {
  const config = readConfig({ DATA_DIR: dataDir })
  const backup = await openBackup(folder, identityFile)
  const storage = await openStorage(config)
  await restore({ config, database: empty, storage, backup, say: silent })
  return storage
}

/** Every file of the backup, by its name below the folder. */
const filesOfBackup = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

const heads = (place: string) => readdirSync(join(place, 'access-log', 'heads'))

async function writeSomething() {
  const admin = await maru.createUser({ role: 'admin' })
  const noticeId = await writeNotice(maru, admin)
  const content = 'the minutes of the board'
  expect((await attach(maru, admin, noticeId, '회의록.txt', content)).status).toBe(200)
  await maru.services.accessLog.keepHeads()
  return { admin, content }
}

/** Nothing was brought back: neither tables nor files nor a key secret. */
async function expectNothingRestored() {
  const { rows } = await empty.pool.query<{ table: string | null }>(`select to_regclass('users') as table`)
  expect(rows).toEqual([{ table: null }])
  const names = existsSync(dataDir) ? readdirSync(dataDir, { recursive: true, withFileTypes: true }) : []
  expect(names.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([])
}

describe('an encrypted backup (rules/running#encrypted-backup)', () => {
  test('holds no name, email, file or secret as plain text, and restores with its key', async () => {
    const { admin, content } = await writeSomething()
    const { missing, files } = await take()
    expect(missing).toEqual([])

    const secret = readKeySecret(readConfig({ DATA_DIR: maru.dataDir }))
    const { rows } = await maru.database.pool.query<{ name: string }>(
      'select name from users where id = $1',
      [admin.id],
    )
    const known = [rows[0]?.name ?? '', admin.email, '회의록', content, secret, 'the minutes']
    const names = filesOfBackup()
    expect(names.filter((name) => !name.endsWith('.age'))).toEqual([MANIFEST])
    expect(names).toContain('key-secret.age')
    expect(names.some((name) => /^access-log\/heads\/.*\.json\.age$/.test(name))).toBe(true)
    for (const name of names) {
      const bytes = readFileSync(join(folder, name))
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
      for (const word of known) expect(`${name}\n${bytes.toString()}`).not.toContain(word)
      if (name !== MANIFEST) expect(bytes.toString('latin1').startsWith(AGE_HEADER)).toBe(true)
    }
    // The manifest lists every encrypted file with its checksum.
    const { encryption, format } = readManifest(folder)
    expect(format).toBe(2)
    expect(encryption?.recipients).toEqual([keys.recipient])
    expect(encryption?.parts.map(({ name }) => name).toSorted()).toEqual(
      names.filter((name) => name !== MANIFEST).toSorted(),
    )

    const storage = await bringBack()
    const emails = await empty.pool.query('select email from users order by email')
    const before = await maru.database.pool.query('select email from users order by email')
    expect(emails.rows).toEqual(before.rows)
    expect(readFileSync(join(dataDir, 'key-secret'), 'utf8').trim()).toBe(secret)
    const contents = await Promise.all(
      files.map(async (key) => text((await storage.get(key))?.stream ?? Readable.from([]))),
    )
    expect(contents).toContain(content)
    expect(heads(dataDir)).toEqual(heads(maru.dataDir))
  })

  test('comes back with the private key of any of its recipients', async () => {
    const other = await makeAgeKeys(join(root, 'other.txt'))
    await take([keys.recipient, other.recipient])
    await bringBack(other.identityFile)
    expect((await empty.pool.query('select from users')).rowCount).toBeGreaterThan(0)
  })

  test('is written as before without a recipient', async () => {
    await take([])
    expect(filesOfBackup().filter((name) => name.endsWith('.age'))).toEqual([])
    expect(readManifest(folder)).toMatchObject({ format: 1 })
    expect(readManifest(folder).encryption).toBeUndefined()
    await bringBack('')
  })

  test('refuses a missing or wrong private key before it creates a database', async () => {
    await take()
    const other = await makeAgeKeys(join(root, 'other.txt'))
    const run = (env: Record<string, string>) => {
      const file = fileURLToPath(new URL('../cli/restore.ts', import.meta.url))
      const { status, stderr } = spawnSync(process.execPath, [file, folder], {
        cwd: root,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
      })
      expect(existsSync(dataDir)).toBe(false)
      return [status, stderr]
    }
    expect(run({})).toEqual([
      1,
      `The backup in ${folder} is encrypted. Set BACKUP_IDENTITY_FILE to the file with the private key (AGE-SECRET-KEY-1…) of ${keys.recipient}.\n`,
    ])
    expect(run({ BACKUP_IDENTITY_FILE: other.identityFile })).toEqual([
      1,
      `${join(folder, 'key-secret.age')} is encrypted for keys that BACKUP_IDENTITY_FILE does not contain. Set it to the file with the right key.\n`,
    ])
  })

  test('is refused with a file that holds no private key, which is not repeated', async () => {
    await take()
    const path = join(root, 'wrong.txt')
    for (const content of ['', '# only a comment\n', keys.recipient, 'AGE-SECRET-KEY-1S3CRET']) {
      writeFileSync(path, content)
      const refused = await openBackup(folder, path).catch((error: Error) => error.message)
      expect(refused).toMatch(/^BACKUP_IDENTITY_FILE .* is not an identity file of age/)
      expect(refused).not.toContain('S3CRET')
    }
    await expect(openBackup(folder, join(root, 'nowhere'))).rejects.toThrow(/cannot be read \(ENOENT/)
  })

  test.each([
    ['truncated attachment', /has \d+ bytes and should have/, (path: string) => truncateSync(path, 300)],
    [
      'changed attachment',
      /its checksum differs/,
      (path: string) => {
        const bytes = readFileSync(path)
        bytes[bytes.length - 1]! ^= 1
        writeFileSync(path, bytes)
      },
    ],
    ['missing attachment', /is missing in the backup/, (path: string) => rmSync(path)],
  ])('is refused with a %s before anything is changed', async (_, message, damage) => {
    await writeSomething()
    const { files } = await take()
    damage(join(folder, `${fileOf(files[0]!)}.age`))
    await expect(bringBack()).rejects.toThrow(message)
    await expectNothingRestored()
  })

  test('is refused without any rows if its checksums were changed along with a file', async () => {
    await take()
    const name = 'tables/users.copy.zst.age'
    truncateSync(join(folder, name), statSync(join(folder, name)).size - 1)
    const bytes = readFileSync(join(folder, name))
    const manifest = readManifest(folder)
    const part = manifest.encryption?.parts.find((one) => one.name === name)
    Object.assign(part ?? {}, {
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest))
    await expect(bringBack()).rejects.toThrow(/users\.copy\.zst\.age is damaged or truncated/)
    expect((await empty.pool.query('select from roles')).rowCount).toBe(0)
  })
})

describe('an encrypted file (rules/running#encrypted-backup)', () => {
  const CHUNK = 64 * 1024

  test.each([0, 1, CHUNK, 2 * CHUNK + 1])('is read as it was written with %i bytes', async (bytes) => {
    const path = join(root, 'part')
    const content = Buffer.alloc(bytes, 'maru')
    await writePart(`${path}.age`, [Readable.from([content])], { recipients: [keys.recipient] })
    expect(await buffer(readPart(path, readIdentities(keys.identityFile)))).toEqual(content)
  })

  test('is refused when it is cut off at the end of a chunk', async () => {
    const path = join(root, 'part')
    const content = Readable.from([Buffer.alloc(3 * CHUNK)])
    await writePart(`${path}.age`, [content], { recipients: [keys.recipient] })
    // Each chunk has 16 bytes more.
    truncateSync(`${path}.age`, statSync(`${path}.age`).size - CHUNK - 16)
    await expect(buffer(readPart(path, readIdentities(keys.identityFile)))).rejects.toThrow(
      /damaged or truncated/,
    )
  })

  test('is written and read with less than a quarter of its 128 MB in memory', async () => {
    const SIZE = 128 * 1024 ** 2
    const path = join(root, 'large')
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const before = process.memoryUsage().arrayBuffers
    let most = Number.NEGATIVE_INFINITY
    const measured = async function* (content: AsyncIterable<Uint8Array>) {
      let chunks = 0
      for await (const chunk of content) {
        chunks += 1
        if (chunks % 100 === 0) {
          // Garbage does not count: when it is collected depends on the machine.
          collectGarbage()
          most = Math.max(most, process.memoryUsage().arrayBuffers - before)
        }
        yield chunk
      }
    }
    const large = Readable.from(
      (async function* () {
        const chunk = Buffer.alloc(CHUNK)
        for (let i = 0; i < SIZE / CHUNK; i += 1) yield await Promise.resolve(chunk)
      })(),
    )
    await writePart(`${path}.age`, [Readable.from(measured(large))], { recipients: [keys.recipient] })
    let bytes = 0
    for await (const chunk of measured(readPart(path, readIdentities(keys.identityFile))))
      bytes += chunk.length
    expect(bytes).toBe(SIZE)
    expect(most).toBeGreaterThan(Number.NEGATIVE_INFINITY)
    expect(most).toBeLessThan(SIZE / 4)
  })
})
