import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import readXlsxFile from 'read-excel-file/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../contract/index.ts'
import { exportKeys, issueKey, listKeys, revokeKey, verifyKey } from '../../../contract/keys.ts'
import { type BackupPart, dumpOf, filesOf } from '../../../dev/test-kit/backups.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { type Answer, PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import { sampleOf } from '../../../dev/test-kit/samples.ts'

/* The issued key is nowhere but in the answer of the call that issues it (rules/keys#issued-key). */
const maru = useMaru({ LOG_LEVEL: 'trace' })
const REQUEST = '알려진 요청'
const started = Date.now()
const seen: string[] = []
/**
 * Values that no file, row, line or answer may contain: the key in all the forms in which it could appear, and the
 * secret.
 */
const secrets = new Map<string, string>()

beforeAll(async () => {
  const partner = await partnerWith(maru, { limits: { day: 1 } })
  const person = await holderOf(maru, partner)
  const admin = await maru.createUser({ role: 'admin' })
  const { token } = await maru.createService()
  const first = await maru.call(issueKey, { requestKey: REQUEST }, person)
  const { issuedKey: key, keyId } = first.data
  const mac = key.split('.')[2] ?? ''
  expect(mac.length).toBeGreaterThan(40)
  secrets.set('the key', mac)
  secrets.set('the key in hex', Buffer.from(mac, 'base64url').toString('hex'))
  secrets.set('the key in Base64', Buffer.from(mac, 'base64url').toString('base64'))
  secrets.set('the letters of the key in hex', Buffer.from(mac).toString('hex'))
  secrets.set('the letters of the key in Base64', Buffer.from(key).toString('base64').slice(0, -8))
  secrets.set('the key in an address', encodeURIComponent(mac))
  const secret = readFileSync(join(maru.dataDir, 'key-secret'), 'utf8').trim()
  expect(secret.length).toBeGreaterThanOrEqual(32)
  secrets.set('the secret', secret)
  secrets.set('the letters of the secret in hex', Buffer.from(secret).toString('hex'))

  see(await maru.call(exportKeys, { format: 'csv', reason: '시험' }, person))
  see(await maru.call(exportKeys, { format: 'csv', reason: '시험', password: PASSWORD }, admin))
  const { bytes } = await maru.call(exportKeys, { format: 'xlsx', reason: '시험', password: PASSWORD }, admin)
  seen.push(JSON.stringify(await readXlsxFile(bytes)))
  for (const answer of [
    await maru.call(listKeys, { perPage: 100 }, person),
    await maru.call(verifyKey, { issuedKey: key }, { token }),
    // Failing calls: no room for another key, and the key in an input that is too long, unknown, in a field of another
    // call, in no envelope at all, in the URL and in a header.
    await maru.call(issueKey, { requestKey: '다른 요청' }, person),
    await maru.call(verifyKey, { issuedKey: key.repeat(30) }, { token }),
    await maru.call(verifyKey, { issuedKey: `${key}x` }, { token }),
    await maru.callRaw(listKeys.path, { [key]: key }, person),
    await maru.callRaw(listKeys.path, { page: key }, person),
    await maru.callRaw(issueKey.path, {}, { ...person, rawBody: `{"DATA":"${key}"}` }),
    await maru.callRaw(verifyKey.path, { issuedKey: key, MORE: key }, { token }),
    await maru.call(revokeKey, { keyId, reason: '시험' }, admin),
    await maru.call(verifyKey, { issuedKey: key }, { token }),
  ]) {
    see(answer)
  }
  // Defects, which are logged with what went wrong: the table is away, then the key cannot be written.
  const broken = async (harm: string, mend: string) => {
    await maru.owner.query(harm)
    see(await maru.call(issueKey, { requestKey: '세 번째 요청' }, person))
    see(await maru.call(issueKey, { requestKey: '네 번째 요청' }, await holderOf(maru, other)))
    see(await maru.call(verifyKey, { issuedKey: key }, { token }))
    await maru.owner.query(mend)
  }
  const other = await partnerWith(maru)
  await broken('alter table issued_keys rename to away', 'alter table away rename to issued_keys')
  await broken(
    'alter table issued_keys add constraint none check (false) not valid',
    'alter table issued_keys drop constraint none',
  )
  // Every call that there is but those that issue: lists, charts, exports, records, whatever comes to be.
  for (const entry of endpoints) {
    if (entry.endpoint.path === issueKey.path) continue
    const by = await maru.createUser({ role: 'admin' })
    see(await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session: by.session, token }))
  }
})

function see({ raw, data, headers }: Answer): void {
  seen.push(raw, JSON.stringify(data ?? {}), JSON.stringify(headers))
}

/** Which of the secrets a text holds. */
const heldIn = (text: string | Buffer) =>
  [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name)

describe('the issued key of a known request, and what it is derived from,', () => {
  test('is in no column of any table, including statistics and query texts', async () => {
    await maru.owner.query('analyze')
    const { rows: tables } = await maru.database.pool.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'm', 'p') and n.nspname <> 'pg_toast'
       union all values ('pg_catalog.pg_stats'), ('pg_catalog.pg_stat_activity')`,
    )
    const names = tables.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['public.issued_keys', 'public.audit_log', 'public.mails']))
    expect(names.length).toBeGreaterThan(90)
    const found: string[] = []
    for (const name of names) {
      const { rows } = await maru.owner.query<{ row: string }>(`select t::text as row from ${name} t`)
      const text = rows.map(({ row }) => row).join('\n')
      expect(heldIn(text), name).toEqual([])
      if (text.includes(REQUEST)) found.push(name)
    }
    // Proves that such a search would find a leak: it finds the request.
    expect(found).toEqual(expect.arrayContaining(['public.issued_keys', 'pg_catalog.pg_stats']))
  })

  test('is in no answer, list, export or chart of any other call, and in no error', () => {
    expect(seen.length).toBeGreaterThan(3 * endpoints.length)
    expect(seen.filter((text) => text.startsWith('\uFEFF') && text.includes(REQUEST)).length).toBeGreaterThan(
      1,
    )
    expect(seen.filter((text) => text.includes(REQUEST)).length).toBeGreaterThan(3)
    expect(seen.some((text) => text.includes('KEY_LIMIT_DAY'))).toBe(true)
    expect(heldIn(seen.join('\n'))).toEqual([])
  })

  test('is in no log line, at the most talkative level', () => {
    const text = JSON.stringify(maru.log)
    expect(text).toContain('unexpected error')
    expect(text).toContain('violates check constraint')
    expect(heldIn(text)).toEqual([])
  })

  test('is in no file of DATA_DIR but the secret’s, which only its owner may read', () => {
    const files = readdirSync(maru.dataDir, { recursive: true, encoding: 'utf8' })
    expect(files).toContain('key-secret')
    for (const name of files) {
      const path = join(maru.dataDir, name)
      if (name === 'key-secret' || !statSync(path).isFile()) continue
      expect(heldIn(readFileSync(path)), name).toEqual([])
    }
    if (process.platform !== 'win32') {
      expect((statSync(join(maru.dataDir, 'key-secret')).mode & 0o777).toString(8)).toBe('600')
    }
  })

  test('is in no backup, neither from pg_dump nor in the server’s files and journal', async () => {
    let parts = 0
    const withRequest: string[] = []
    const search = ({ name, bytes }: BackupPart) => {
      parts += 1
      expect(heldIn(bytes), name).toEqual([])
      if (bytes.includes(REQUEST)) withRequest.push(name)
    }
    const dump = await dumpOf(maru.owner)
    if (dump !== undefined) {
      search(dump)
      expect(withRequest).toEqual(['pg_dump'])
    }
    const write = () =>
      maru.database.pool.query('update issued_keys set request_key = request_key where request_key = $1', [
        REQUEST,
      ])
    for await (const part of filesOf(maru.owner, started, write)) search(part)
    if (dump === undefined || parts > 1) {
      expect(withRequest.some((name) => name.startsWith('base/'))).toBe(true)
      expect(withRequest.some((name) => name.startsWith('pg_wal/'))).toBe(true)
    }
  })
})
