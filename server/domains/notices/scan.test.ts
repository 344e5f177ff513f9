import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  beginUpload,
  cancelUpload,
  deleteNotice,
  downloadFile,
  finishUpload,
} from '../../../contract/notices.ts'
import { readConfig } from '../../config.ts'
import { createServices } from '../../create-services.ts'
import { StartRefusal } from '../../startup-error.ts'
import { sweepFiles } from '../../services/storage/sweep.ts'
import {
  addressOfMaru,
  askTus,
  attach,
  filesOf,
  keptFiles,
  writeNotice,
} from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/*
 * A scanner as clamscan is one: it leaves 1 for the EICAR test file. It can be away, and some files are too much for it.
 */
const folder = mkdtempSync(join(tmpdir(), 'maru-scan-'))
const scanner = join(folder, 'scan')
writeFileSync(
  scanner,
  `#!/bin/sh
echo "$1" >> "$0.runs"
env > "$0.env"
[ -e "$0.away" ] && { echo 'no signatures' >&2; exit 2; }
found=$(grep -aoE 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE|TOO-MUCH' | head -n 1)
case "$found" in
  EICAR*) echo 'stream: Win.Test.EICAR_HDB-1 FOUND'; exit 1 ;;
  TOO*) sleep 60 & echo $! > "$0.child"; wait ;;
esac
`,
)
chmodSync(scanner, 0o755)
writeFileSync(`${scanner}.runs`, '')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const runs = () => readFileSync(`${scanner}.runs`, 'utf8').split('\n').length - 1

const EICAR = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`

const maru = useMaru({
  SCAN_COMMAND: `${scanner} --quiet`,
  SCAN_SECONDS: '1',
  QUARANTINE_DAYS: '10',
  FILE_TYPES_REFUSED: '.EXE, js',
})
let kim: TestUser

beforeAll(() => addressOfMaru(maru))
beforeEach(async () => {
  kim = await maru.createUser()
})

const sql = (text: string, ...values: unknown[]) => maru.database.pool.query(text, values)
const kept = () => keptFiles(maru)
const sweep = (own = {}) => sweepFiles(maru.database.pool, maru.services.storage, maru.app.log, own)
const metrics = async () => (await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).body

afterEach(async () => {
  vi.restoreAllMocks()
  await sql('delete from notices')
  await sweep({ uploadHours: 0, discardedDays: 0, quarantineDays: 0 })
  expect(await kept()).toEqual([])
})

/** All of a file by tus, but for its end. */
async function send(notice: string, content: string, fileName = '자료.txt'): Promise<string> {
  const body = Buffer.from(content)
  const input = { noticeId: notice, fileName, fileSize: body.length }
  const { uploadId } = (await maru.call(beginUpload, input, kim)).data
  expect((await askTus(maru, kim, 'PATCH', uploadId, { 'Upload-Offset': '0' }, body)).status).toBe(204)
  return uploadId
}
const finish = (uploadId: string, language = 'ko') =>
  maru.call(finishUpload, { uploadId }, { session: kim.session, language })

describe('an attached file (rules/files#scan)', () => {
  test('scans a file once, by form or tus, by a program that receives no secrets', async () => {
    const before = runs()
    const [byForm, byTus] = [await writeNotice(maru, kim), await writeNotice(maru, kim)]
    expect((await attach(maru, kim, byForm, '안내.txt', 'x'.repeat(200_000))).status).toBe(200)
    const id = await send(byTus, '내용')
    expect([(await finish(id)).status, (await finish(id)).status]).toEqual([200, 200])
    expect(runs() - before).toBe(2)
    expect((await attach(maru, kim, await writeNotice(maru, kim), '빈 파일.txt', '')).status).toBe(200)
    expect(runs() - before).toBe(2)
    expect(readFileSync(`${scanner}.runs`, 'utf8')).toMatch(/^(--quiet\n)+$/)
    expect(readFileSync(`${scanner}.env`, 'utf8')).not.toMatch(/DATABASE|SECRET|PASSWORD|STORAGE|SMTP/)
  })

  test('is not scanned again when it could not be attached after that', async () => {
    const notice = await writeNotice(maru, kim)
    const id = await send(notice, '내용')
    const before = runs()
    vi.spyOn(maru.services.scanner!, 'scan').mockImplementationOnce(async (open) => {
      vi.restoreAllMocks()
      const verdict = await maru.services.scanner!.scan(open)
      await sql(`update users set suspended_at = now() where id = $1`, kim.id)
      return verdict
    })
    expect((await finish(id)).code).toBe('SESSION_REQUIRED')
    await sql(`update users set suspended_at = null where id = $1`, kim.id)
    expect((await finish(id)).status).toBe(200)
    expect(runs() - before).toBe(1)
  })

  test('quarantines an infected file, logs it and blocks access to it', async () => {
    const notice = await writeNotice(maru, kim)
    const id = await send(notice, EICAR)
    const found = await finish(id)
    expect([found.code, found.msg]).toEqual(['FILE_INFECTED', expect.stringMatching(/바이러스 검사.*관리자/)])
    const before = runs()
    expect(await finish(id, 'en')).toMatchObject({
      code: 'FILE_INFECTED',
      msg: expect.stringMatching(/virus/),
    })
    expect(await attach(maru, kim, notice, '자료.txt', 'x'.repeat(200_000) + EICAR)).toMatchObject({
      code: 'FILE_INFECTED',
    })
    expect(runs() - before).toBe(1)
    expect([await filesOf(maru, kim, notice), (await kept()).length]).toEqual([[], 2])

    // Its sender cannot read, continue or cancel it.
    const { rows } = await sql(
      'select save_path as path, save_file_name as name from uploads where id = $1',
      id,
    )
    const key = { storedPath: rows[0].path, storedName: rows[0].name }
    expect((await maru.call(downloadFile, key, kim)).code).toBe('FILE_NOT_FOUND')
    expect((await askTus(maru, kim, 'PATCH', id, { 'Upload-Offset': '0' }, Buffer.from('x'))).status).toBe(
      400,
    )
    expect((await maru.call(cancelUpload, { uploadId: id }, kim)).status).toBe(200)
    await maru.call(deleteNotice, { noticeId: notice }, kim)

    const { rows: trail } = await sql(
      `select target, detail->>'finding' as finding, detail->>'name' as name, records from audit_log
        where action = 'file.quarantine' and actor_id = $1 order by id`,
      kim.id,
    )
    expect(trail).toMatchObject([
      { target: id, finding: 'Win.Test.EICAR_HDB-1', name: '자료.txt', records: [`notice/${notice}`] },
      { finding: 'Win.Test.EICAR_HDB-1' },
    ])
    expect(maru.log.filter(({ msg }) => msg === 'a file was quarantined')).toMatchObject([
      { level: 40, uploadId: id, userId: kim.userId, finding: 'Win.Test.EICAR_HDB-1' },
      { level: 40 },
    ])
    expect(await metrics()).toMatch(/^maru_files_quarantined 2$/m)
    expect(await metrics()).toMatch(/^maru_scans_total\{result="found"\} 2$/m)

    // It is no open upload, but takes of what its person may leave behind.
    const next = await writeNotice(maru, kim)
    for (let n = 0; n < 3; n += 1)
      expect((await maru.call(beginUpload, { noticeId: next, fileName: 'a', fileSize: 1 }, kim)).status).toBe(
        200,
      )
    await sql(`update uploads set cancelled = true where quarantined_at is null`)
    await sql(`update uploads set size_bytes = 5 * 1024 ^ 3 where quarantined_at is not null`)
    expect((await attach(maru, kim, next, 'a', '')).code).toBe('UPLOADS_FULL')

    await sql(
      `update uploads set quarantined_at = now() - interval '9 days 23 hours', created_at = now() - interval '11 days'`,
    )
    await sweep(maru.services.config.scan)
    expect(await kept()).toHaveLength(2)
    // As docs/operations.md says: an operator who knows better attaches it after all.
    const again = await writeNotice(maru, kim)
    await sql(
      `with freed as (update uploads set quarantined_at = null, finding = null, finished_at = now() where id = $1 returning *)
       insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes)
       select id, $2, save_path, save_file_name, original_name, $3 from freed`,
      id,
      again,
      EICAR.length,
    )
    expect((await maru.call(downloadFile, key, kim)).raw).toBe(EICAR)
    await sql(`update uploads set quarantined_at = now() - interval '10 days' where finished_at is null`)
    await sweep(maru.services.config.scan)
    expect(await kept()).toEqual([rows[0].name])
  })

  test('is refused while the scanner fails or is slow, and accepted once it works', async () => {
    const notice = await writeNotice(maru, kim)
    writeFileSync(`${scanner}.away`, '')
    const id = await send(notice, '내용')
    expect(await finish(id)).toMatchObject({
      code: 'SCAN_FAILED',
      msg: expect.stringContaining('바이러스 검사'),
    })
    expect((await attach(maru, kim, notice, 'a.txt', 'x')).code).toBe('SCAN_FAILED')
    expect(maru.log.filter(({ level }) => level >= 50)).toMatchObject([
      { msg: 'a file could not be scanned', err: { message: 'the scanner left 2: no signatures' } },
      { msg: 'a file could not be scanned' },
    ])
    rmSync(`${scanner}.away`)
    expect((await attach(maru, kim, await writeNotice(maru, kim), 'a.txt', 'TOO-MUCH')).code).toBe(
      'SCAN_FAILED',
    )
    // With all that it had started.
    const child = Number(readFileSync(`${scanner}.child`, 'utf8'))
    await expect.poll(() => isRunning(child)).toBe(false)
    expect((await finish(id)).status).toBe(200)
    expect(await filesOf(maru, kim, notice)).toHaveLength(1)
  })
})

/** A process that has ended may wait for somebody to look. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('a file of a type that is refused (rules/files#file-types)', () => {
  test('is refused by its name before a byte is taken', async () => {
    const notice = await writeNotice(maru, kim)
    const begun = await maru.call(beginUpload, { noticeId: notice, fileName: '설치.Exe', fileSize: 1 }, kim)
    expect(begun).toMatchObject({ code: 'FILE_TYPE_REFUSED', msg: '등록할 수 없는 형식의 파일입니다. (exe)' })
    expect((await attach(maru, kim, notice, '설치.exe', 'x')).code).toBe('FILE_TYPE_REFUSED')
    expect(await kept()).toEqual([])
  })

  test('is refused by its first bytes before the scan, whatever its name', async () => {
    const notice = await writeNotice(maru, kim)
    const program = `MZ${'\0'.repeat(100)}`
    const before = runs()
    expect((await attach(maru, kim, notice, '보고.txt', program)).code).toBe('FILE_CONTENT_REFUSED')
    const id = await send(notice, program)
    expect((await finish(id)).code).toBe('FILE_CONTENT_REFUSED')
    expect((await finish(id)).code).toBe('UPLOAD_NOT_FOUND')
    expect([await kept(), runs() - before]).toEqual([[], 0])
  })

  test('is told to the pages', async () => {
    expect((await maru.app.inject('/config.json')).json()).toMatchObject({
      fileTypes: { allowed: [], refused: ['exe', 'js'] },
    })
  })
})

test('refuses to start with a missing scanner, in one line that names SCAN_COMMAND', async () => {
  const config = readConfig({ DATA_DIR: maru.dataDir, SCAN_COMMAND: 'no-such-scanner -' })
  const { database, services } = maru
  const parts = { config, database, logger: maru.app.log as never, say: () => {} }
  const starting = createServices(parts, { storage: services.storage })
  await expect(starting).rejects.toThrow(StartRefusal)
  await expect(starting).rejects.toThrow(
    /^SCAN_COMMAND: the program no-such-scanner was not found\. Correct /,
  )
})
