import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  exportKeys,
  getKeyStatistics,
  issueKey,
  listKeys,
  revokeKey,
  verifyKey,
} from '../../../contract/keys.ts'
import { holderOf, partnerWith } from '../../test-kit/keys.ts'
import { PASSWORD, useMaru } from '../../test-kit/maru.ts'

/* The issued key is nowhere but in the answer of the call that issues it (decisions §7). */
const maru = useMaru({ LOG_LEVEL: 'trace' })
const seen: string[] = []
let key: string
let secret: Buffer
/** The key in the forms in which a database, a log or a dump could hold it. */
let forms: string[]

beforeAll(async () => {
  const partner = await partnerWith(maru, { limits: { day: 3 } })
  const person = await holderOf(maru, partner)
  const admin = await maru.createUser({ role: 'admin' })
  const { token } = await maru.createService()
  const first = await maru.call(issueKey, { REQUEST_KEY: '알려진 요청' }, person)
  key = first.data.ISSUED_KEY
  const mac = key.split('.')[2] ?? ''
  const bytes = Buffer.from(mac, 'base64url')
  forms = [
    mac,
    bytes.toString('hex'),
    bytes.toString('base64'),
    Buffer.from(mac).toString('hex'),
    encodeURIComponent(mac),
  ]
  secret = readFileSync(join(maru.dataDir, 'key-secret'))

  const { KEY_ID } = first.data
  for (const answer of [
    await maru.call(listKeys, { PER_PAGE: 100 }, person),
    await maru.call(getKeyStatistics, {}, person),
    await maru.call(exportKeys, { FORMAT: 'csv', REASON: '시험' }, person),
    await maru.call(exportKeys, { FORMAT: 'csv', REASON: '시험', PASSWORD }, person),
    await maru.call(verifyKey, { ISSUED_KEY: key }, { token }),
    // What goes wrong with the key in it: too long, unknown, in a field of another call, in no envelope at all.
    await maru.call(verifyKey, { ISSUED_KEY: key.repeat(30) }, { token }),
    await maru.call(verifyKey, { ISSUED_KEY: `${key}x` }, { token }),
    await maru.callRaw(listKeys.path, { [key]: key }, person),
    await maru.callRaw(issueKey.path, {}, { ...person, rawBody: `{"DATA":"${key}"}` }),
    await maru.callRaw(verifyKey.path, { ISSUED_KEY: key, MORE: key }, { token }),
    await maru.call(revokeKey, { KEY_ID, REASON: '시험' }, admin),
    await maru.call(verifyKey, { ISSUED_KEY: key }, { token }),
  ]) {
    seen.push(answer.raw, JSON.stringify(answer.data ?? {}), JSON.stringify(answer.headers))
  }
})

const holds = (text: string) => forms.filter((form) => text.includes(form))

describe('the issued key of a known request', () => {
  test('is in no table', async () => {
    const { rows: tables } = await maru.database.pool.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    )
    expect(tables.length).toBeGreaterThan(20)
    let rowsRead = 0
    for (const { name } of tables) {
      const { rows } = await maru.database.pool.query<{ row: string }>(`select t::text as row from ${name} t`)
      rowsRead += rows.length
      expect(holds(rows.map(({ row }) => row).join('\n')), name).toEqual([])
    }
    expect(rowsRead).toBeGreaterThan(300)
    // That such a search would find it: the request itself is there.
    const { rows } = await maru.database.pool.query(`select t::text as row from issued_keys t`)
    expect(JSON.stringify(rows)).toContain('알려진 요청')
  })

  test('is in no answer of a list, an export, a chart, a verification or an error', () => {
    expect(seen.length).toBe(36)
    // That exports were among them: the request is there.
    expect(seen.filter((text) => text.startsWith('\uFEFF') && text.includes('알려진 요청'))).toHaveLength(2)
    expect(holds(seen.join('\n'))).toEqual([])
  })

  test('is in no log line, at the most talkative level', () => {
    expect(holds(JSON.stringify(maru.log))).toEqual([])
  })

  test('is in no file of DATA_DIR, where the secret is readable by nobody else', () => {
    const files = readdirSync(maru.dataDir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(maru.dataDir, name))
      .filter((path) => statSync(path).isFile())
    expect(files).toContain(join(maru.dataDir, 'key-secret'))
    for (const path of files) expect(holds(readFileSync(path, 'latin1')), path).toEqual([])
    if (process.platform !== 'win32') {
      expect((statSync(join(maru.dataDir, 'key-secret')).mode & 0o777).toString(8)).toBe('600')
    }
  })

  test('and neither it nor the secret is in a backup: pg_dump where it fits the server, or the server’s own files', async () => {
    const { rows } = await maru.database.pool.query<{
      name: string
      version: number
      dir: string
      oid: string
    }>(
      `select current_database() as name, current_setting('server_version_num')::int / 10000 as version,
         replace(current_setting('data_directory'), '/proc/self/', '/proc/' || pg_backend_pid() || '/') as dir,
         (select oid::text from pg_database where datname = current_database()) as oid`,
    )
    const [server] = rows
    if (server === undefined) throw new Error('no server')
    const text = dump(server) ?? (await filesOf(server))
    expect(text).toContain('알려진 요청')
    expect(holds(text)).toEqual([])
    expect(text).not.toContain(secret.toString().trim())
  })
})

/** The whole database as pg_dump writes it; undefined when this machine's cannot read this server. */
function dump({ name, version }: { name: string; version: number }): string | undefined {
  const options = maru.database.pool.options
  try {
    const own = Number(/(\d+)\./.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1])
    if (own < version) return undefined
  } catch {
    return undefined
  }
  const url = options.connectionString
  const where =
    url === undefined
      ? ['-h', String(options.host), '-p', String(options.port), '-U', String(options.user), '-d', name]
      : ['-d', url]
  return execFileSync('pg_dump', where, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, PGPASSWORD: typeof options.password === 'string' ? options.password : '' },
  })
}

/** What a copy of the data directory holds: the files of this database, and the journal of all. */
async function filesOf({ dir, oid }: { dir: string; oid: string }): Promise<string> {
  await maru.database.pool.query('checkpoint')
  const texts: string[] = []
  for (const folder of [join(dir, 'base', oid), join(dir, 'pg_wal')]) {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (statSync(path).isFile()) texts.push(readFileSync(path, 'utf8'))
    }
  }
  return texts.join('\n')
}
