import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { login } from '../contract/account.ts'
import { API_BASE } from '../contract/envelope.ts'
import { beginUpload, BULLET, createNotice, listNotices, UPLOADS_PATH } from '../contract/notices.ts'
import { listUsers } from '../contract/users.ts'
import { type EmbeddedDatabase, startEmbedded, urlOf } from './db/embedded.ts'
import { findRunning } from './db/embedded/find-running.ts'
import { faultsOfBytes } from '../dev/test-kit/kill/bytes.ts'
import { type Portal, portalAt, RefusedError, sumOf } from '../dev/test-kit/portal.ts'
import { type Program, startProgram } from '../dev/test-kit/program.ts'
import { mountSmallDisk, type SmallDisk } from '../dev/test-kit/small-disk.ts'
import { bytes } from '../dev/test-kit/transfer.ts'

/* A real disk that is full (rules/running#full-disk, design/disk-and-clock#full-disk), under a real server. */

const MB = 1024 ** 2
const PASSWORD = 'Maru-disk-2026'
const TIMEOUT_MS = 180_000

let disk: SmallDisk | string
let program: Program | undefined
const closers: (() => unknown)[] = []

beforeEach((context) => {
  disk = mountSmallDisk(256 * MB)
  if (typeof disk === 'string') context.skip(disk)
  else closers.push(disk.drop)
})

afterEach(async () => {
  program?.process.kill('SIGKILL')
  await program?.ended
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A server that somebody has logged in to. */
async function start(dataDir: string, env: Record<string, string> = {}) {
  program = startProgram(dataDir, {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: PASSWORD,
    LOG_LEVEL: 'error',
    ...env,
  })
  const port = Number(new URL(await program.url).port)
  const logIn = async () =>
    (await portalAt(port, '').call(login, { loginId: 'admin', password: PASSWORD })).sessionUid
  const session = await logIn()
  const portal = portalAt(port, session)
  const write = async (title: string) => {
    // Each title comes with random text that cannot be compressed.
    const memo = randomBytes(2000).toString('hex')
    const { noticeId } = await portal.call(createNotice, { bulletCode: BULLET.notice, title, memo })
    return noticeId
  }
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
    return { status: answer.status, body: (await answer.json()) as unknown }
  }
  return { port, session, portal, logIn, write, ready }
}

const codeOf = (error: unknown) =>
  error instanceof RefusedError ? `${error.status} ${error.code}` : String(error)
/** Returns the outcome of a call: `200`, or status and code. */
const endOf = (call: Promise<unknown>) => call.then(() => '200', codeOf)

const titles = async (portal: Portal) =>
  (await portal.call(listNotices, { page: 1, perPage: 10 })).notices.map(({ title }) => title).toSorted()

async function titlesIn({ owner }: EmbeddedDatabase): Promise<string[]> {
  const client = new pg.Client(owner)
  await client.connect()
  const { rows } = await client.query<{ title: string }>('select title from notices')
  await client.end()
  return rows.map(({ title }) => title).toSorted()
}

/** Writes until something is refused. @returns what was answered, and how it ended */
async function writeUntilRefused(write: (title: string) => Promise<string>) {
  const kept: string[] = []
  for (let n = 0; n < 20_000; n += 1) {
    const title = `공지 ${n}`
    const end = await endOf(write(title))
    if (end !== '200') return { kept, end }
    kept.push(title)
  }
  throw new Error('nothing was refused')
}

test(
  'answers writes 503 DISK_FULL on a full disk, keeps reading, recovers by itself',
  async () => {
    if (typeof disk === 'string') return
    const { folder, fill, free } = disk
    const maru = await start(join(folder))
    const noticeId = await maru.write('전')
    const parcel = { name: '큰 파일.bin', size: 6 * MB }
    const { uploadId } = await maru.portal.call(beginUpload, {
      noticeId,
      fileName: parcel.name,
      fileSize: parcel.size,
      replacesFileId: '',
    })
    const arrived = () => {
      const incoming = join(folder, 'files', '.incoming')
      const name = readdirSync(incoming).find((each) => !each.startsWith('ready'))
      return name === undefined ? 0 : statSync(join(incoming, name)).size
    }
    const answered = new Promise<string>((resolve) => {
      const sent = request(
        {
          port: maru.port,
          path: `${API_BASE}${UPLOADS_PATH}/${uploadId}`,
          method: 'PATCH',
          headers: {
            SessionId: maru.session,
            'Tus-Resumable': '1.0.0',
            'Content-Type': 'application/offset+octet-stream',
            'Content-Length': parcel.size,
            'Upload-Offset': 0,
            'Accept-Language': 'en',
          },
        },
        (answer) => void answer.toArray().then((parts) => resolve(`${answer.statusCode} ${parts.join('')}`)),
      )
      sent.on('error', () => {})
      const send = async () => {
        let count = 0
        for (const chunk of bytes(parcel.size)) {
          count += chunk.length
          sent.write(chunk)
          if (count !== 2 * MB) continue
          await expect.poll(arrived, { timeout: 20_000 }).toBe(2 * MB)
          // Between its first third and the rest somebody else takes all the room.
          await fill()
        }
        sent.end()
      }
      void send()
    })
    expect(await answered).toMatch(/^503 .*DISK_FULL.*The server's disk is full/)

    await expect.poll(() => endOf(maru.write('refused'))).toBe('503 DISK_FULL')
    expect(await endOf(maru.portal.call(listUsers, {}))).toBe('200')
    expect(await titles(maru.portal)).toEqual(['전'])
    expect(await endOf(maru.logIn())).toBe('200')
    await expect.poll(maru.ready, { timeout: 10_000 }).toEqual({
      status: 503,
      body: { status: 'unavailable', failed: ['database', 'storage'], reason: 'disk full' },
    })
    // The server may have found free space within the last second. Then the storage refuses the file.
    await expect
      .poll(() => endOf(maru.portal.sendForm(noticeId, { name: '작은 파일.bin', size: 100 })), {
        timeout: 10_000,
      })
      .toBe('503 DISK_FULL')

    // The journal needs a new file, for which there is no room: PostgreSQL ends.
    const own = new pg.Client(findRunning(folder))
    own.on('error', () => {})
    await own.connect()
    for (let n = 0; n < 20 && !program?.text().includes('The disk is full'); n += 1) {
      await own.query("select pg_logical_emit_message(false, 'x', repeat('x', 4000000))").catch(() => {})
    }
    await own.end().catch(() => {})
    await expect.poll(() => program?.text(), { timeout: 20_000 }).toContain('The disk is full: it is started')
    expect(await endOf(maru.portal.call(listNotices, { page: 1, perPage: 10 }))).toBe('503 UNAVAILABLE')
    await expect.poll(() => endOf(maru.write('refused'))).toBe('503 DISK_FULL')

    free()
    await expect.poll(() => endOf(maru.write('후')), { timeout: 30_000 }).toBe('200')
    await expect.poll(async () => (await maru.ready()).status, { timeout: 10_000 }).toBe(200)
    expect(await titles(maru.portal)).toEqual(['전', '후'])
    const offset = await maru.portal.resumeTus(uploadId, parcel)
    expect(offset).toBeGreaterThanOrEqual(2 * MB)
    expect(offset).toBeLessThan(parcel.size)
    const hash = createHash('sha256')
    await maru.portal.receive(noticeId, (chunk) => hash.update(chunk))
    expect(hash.digest('hex')).toBe(sumOf(parcel))
    const pool = new pg.Pool({ ...findRunning(folder), max: 1 })
    pool.on('error', () => {})
    closers.push(() => pool.end())
    expect(await faultsOfBytes(pool, join(folder, 'files'), false)).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'answers 503 DISK_FULL on a remote database’s full disk and keeps answered writes',
  async () => {
    if (typeof disk === 'string') return
    const { folder, fill, free } = disk
    const own = await startEmbedded({ dataDir: folder, log: () => {}, settings: { max_wal_size: '64MB' } })
    closers.push(() => own.stop())
    const dataDir = await mkdtemp(join(tmpdir(), 'maru-disk-data-'))
    closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
    const maru = await start(dataDir, {
      DATABASE_URL: urlOf(own.connection),
      DATABASE_OWNER_URL: urlOf(own.owner),
    })
    await maru.write('전')
    await fill()
    const { kept, end } = await writeUntilRefused(maru.write)
    expect(end).toBe('503 DISK_FULL')
    expect(await titlesIn(own)).toEqual(['전', ...kept].toSorted())
    expect(await titles(maru.portal)).toHaveLength(Math.min(10, kept.length + 1))
    await expect
      .poll(maru.ready, { timeout: 70_000 })
      .toEqual({ status: 503, body: { status: 'unavailable', failed: ['database'], reason: 'disk full' } })

    free()
    await expect.poll(() => endOf(maru.write('후')), { timeout: 10_000 }).toBe('200')
    await expect.poll(async () => (await maru.ready()).status, { timeout: 10_000 }).toBe(200)
    expect(await titlesIn(own)).toEqual(['전', ...kept, '후'].toSorted())
  },
  TIMEOUT_MS,
)
