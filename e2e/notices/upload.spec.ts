import type { Page, Request } from '@playwright/test'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finishUpload } from '../../contract/notices.ts'
import { newStorageKey, putFile } from '../../server/services/storage.ts'
import { openDiskStorage } from '../../server/services/storage/disk.ts'
import { answer } from '../fixtures/dialogs.ts'
import { type Relay, startRelay } from '../fixtures/relay.ts'
import { expect, test as base, type WorkerMaru } from '../fixtures/test.ts'
import { chip, drop, filesOf, noticeIdOf, saveButton, titleField, writeNotice } from './steps.ts'

const MB = 1024 * 1024

const test = base.extend<{ relay: Relay }>({
  relay: async ({ server }, use) => {
    const relay = await startRelay(server.url)
    await use(relay)
    await relay.close()
  },
})

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('notices').execute()
  await server.db.deleteFrom('uploads').execute()
})

/** A file of this test's: of random bytes, or of none that take room on the disk. */
function makeFile(name: string, content: Buffer | number): string {
  const folder = test.info().outputPath('files')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'number' ? '' : content)
  if (typeof content === 'number') truncateSync(path, content)
  return path
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

const progress = (page: Page) => page.getByRole('dialog', { name: '파일 업로드' })
const uploads = (server: WorkerMaru) => server.db.selectFrom('uploads').selectAll().execute()
const unfinished = async (server: WorkerMaru) =>
  (await uploads(server)).filter(({ finished_at }) => finished_at === null)

async function save(page: Page, title: '공지사항 등록' | '공지사항 수정'): Promise<void> {
  await saveButton(page).click()
  await answer(page, title, '네')
}

/** Waits until the first bytes went over, and until there is something to reckon with. */
async function underWay(page: Page): Promise<void> {
  await expect(progress(page).getByText(/^초당 [\d.]+(KB|MB)$/)).toBeVisible()
}

/** What of a file is sent from where on, as it is sent. */
function offsetsSent(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return offsets
}

test.describe('an upload (rules/files#upload-progress, ADR 015)', () => {
  test('shows speed and time left, and a cancelled replacement leaves the old file and nothing on the server', async ({
    as,
    server,
    relay,
    expectAccessible,
  }) => {
    const { page, person } = await as('user', {}, relay)
    const id = await writeNotice(server, { title: '바꿀 첨부', author: person })
    await page.goto(`/notice/insert?noticeId=${id}`)
    await page.locator('input[type=file]').setInputFiles(makeFile('처음.txt', Buffer.from('처음')))
    await save(page, '공지사항 수정')
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page.getByRole('heading', { name: '첨부파일 (1)' })).toBeVisible()

    await page.getByRole('link', { name: '수정', exact: true }).click()
    await chip(page, '처음.txt').click()
    const name = `${'아주 긴 이름의 점검 결과 보고서 '.repeat(5).trim()}.zip`
    await page.locator('input[type=file]').setInputFiles(makeFile(name, 24 * MB))
    relay.pace(1 * MB, 20 * MB)
    await save(page, '공지사항 수정')
    await underWay(page)
    await expect(progress(page).getByText(/^[\d.]+MB \/ 24MB$/)).toBeVisible()
    await expect(progress(page).getByText(/^약 \d+초 남음$/)).toBeVisible()
    await expectAccessible(page)
    // The old one is there until the new one is stored (ADR 015).
    expect(await filesOf(server, id)).toEqual(['처음.txt'])
    const [row] = await unfinished(server)
    await progress(page).getByRole('button', { name: '전송 취소' }).click()
    await answer(page, '파일 전송을 취소했습니다.', '확인')
    await expect(chip(page, name)).toBeVisible()
    await expect.poll(() => unfinished(server)).toEqual([])
    expect(existsSync(join(server.dataDir, 'files', '.incoming', row!.save_file_name))).toBe(false)
    expect(await filesOf(server, id)).toEqual(['처음.txt'])

    // Left in the middle: nothing of it is told on the next screen, which is free at once.
    await save(page, '공지사항 수정')
    await underWay(page)
    await page.evaluate(() => history.back())
    await answer(page, '저장하지 않은 내용', '네')
    await expect(page).toHaveURL(/notice\/detail/)
    await expect.poll(() => unfinished(server)).toEqual([])
    await page.getByRole('link', { name: '수정', exact: true }).click()
    await chip(page, '처음.txt').click()
    await page.locator('input[type=file]').setInputFiles(makeFile(name, 24 * MB))

    // Beside the old file nothing can be chosen yet; nor does anybody have to go on.
    await save(page, '공지사항 수정')
    await underWay(page)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    const hint = page.getByText(/^아주 긴 이름의 .* 끝나지 않았습니다\. 이어서 전송하려면 먼저 첨부된 파일을/)
    await expect(hint).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: '이어서 보내지 않기' }).click()
    await expect(hint).toHaveCount(0)
    await expect(chip(page, '처음.txt')).toBeFocused()
    await expect.poll(() => unfinished(server)).toEqual([])
    await chip(page, '처음.txt').press('Enter')
    await page.locator('input[type=file]').setInputFiles(makeFile(name, 24 * MB))

    relay.pace(Infinity)
    await save(page, '공지사항 수정')
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page.getByRole('button', { name: `${name} 내려받기` })).toBeVisible()
    expect(await filesOf(server, id)).toEqual([name])
  })

  test('goes on where it stopped after a broken connection, with every byte', async ({ as, relay }) => {
    const { page } = await as('user', {}, relay)
    const offsets = offsetsSent(page)
    const content = randomBytes(20 * MB)
    await page.goto('/notice/insert')
    await titleField(page).fill('끊기는 전송')
    await page.locator('input[type=file]').setInputFiles(makeFile('자료.bin', content))
    relay.pace(2 * MB, 10 * MB)
    await save(page, '공지사항 등록')
    await underWay(page)
    const mend = relay.cut()
    await expect(progress(page)).toContainText('연결이 끊겼습니다.')
    relay.pace(Infinity)
    mend()
    await answer(page, '등록이 완료되었습니다.', '확인')
    expect(offsets.at(0)).toBe(0)
    expect(offsets.at(-1)).toBeGreaterThan(0)
    // Small enough to come through the page, under the overlay (rules/files#download).
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: '자료.bin 내려받기' }).click()
    expect(sha256(await readFile(await (await downloading).path()))).toBe(sha256(content))
  })

  test('goes on after a reload with the same file and begins anew with another', async ({
    as,
    server,
    relay,
  }) => {
    const { page } = await as('user', {}, relay)
    page.on('dialog', (dialog) => void dialog.accept())
    const offsets = offsetsSent(page)
    const path = makeFile('이어질 자료.bin', 20 * MB)
    await page.goto('/notice/insert')
    await titleField(page).fill('다시 읽은 화면')
    await page.locator('input[type=file]').setInputFiles(path)
    relay.pace(2 * MB, 10 * MB)
    await save(page, '공지사항 등록')
    await underWay(page)
    // The address is that of the notice by now, whose text is safe.
    const id = noticeIdOf(page)
    await page.reload()
    await expect(titleField(page)).toHaveValue('다시 읽은 화면')
    await expect(page.getByText(/^이어질 자료.bin 파일의 전송이 끝나지 않았습니다./)).toBeVisible()
    // Another file is not the one that was on its way.
    await page.locator('input[type=file]').setInputFiles(makeFile('다른 자료.bin', 1))
    await expect(page.getByText('저장하면 전송이 끊긴 곳부터')).toHaveCount(0)
    await chip(page, '다른 자료.bin').click()
    await page.locator('input[type=file]').setInputFiles(path)
    await expect(page.getByText('저장하면 전송이 끊긴 곳부터')).toBeVisible()
    relay.pace(Infinity)
    await save(page, '공지사항 수정')
    await answer(page, '수정이 완료되었습니다.', '확인')
    expect(offsets).toHaveLength(2)
    expect(offsets[1]).toBeGreaterThan(0)
    expect(await filesOf(server, id)).toEqual(['이어질 자료.bin'])
    expect(await uploads(server)).toHaveLength(1)
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /draft/.test(key)))).toEqual(
      [],
    )
  })

  test('loses nothing when the server fails at the end, and saving again sends no byte twice', async ({
    as,
    server,
    relay,
  }) => {
    const { page } = await as('user', {}, relay)
    const offsets = offsetsSent(page)
    await page.goto('/notice/insert')
    await titleField(page).fill('끝에서 실패하는 전송')
    const plan = makeFile('계획.txt', Buffer.from('계획'))
    await page.locator('input[type=file]').setInputFiles(plan)
    const repair = relay.refuse(`/api${finishUpload.path}`, 500)
    await save(page, '공지사항 등록')
    await expect(page).toHaveURL(/noticeId=/)
    const form = page.url()
    await answer(page, '관리자에게 문의해주세요.', '확인')
    await expect(page).toHaveURL(/main$/)
    repair()
    await page.goto(form)
    await expect(titleField(page)).toHaveValue('끝에서 실패하는 전송')
    await page.locator('input[type=file]').setInputFiles(plan)
    await expect(chip(page, '계획.txt')).toBeVisible()
    await save(page, '공지사항 수정')
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page.getByRole('heading', { name: '첨부파일 (1)' })).toBeVisible()
    expect(offsets).toEqual([0])
    expect(await filesOf(server, noticeIdOf(page))).toEqual(['계획.txt'])
  })

  test('takes a file dropped anywhere, and warns of one too large, badly named, changed or second (rules/files#file-name)', async ({
    as,
  }) => {
    const { page } = await as('user')
    // A listener that stays: switched on for one key press at a time, the browser may hear of it after the key.
    page.on('filechooser', () => {})
    await page.goto('/notice/insert')
    await titleField(page).fill('끌어다 놓기')
    const asked: Request[] = []
    page.on('request', (request) => request.url().includes('/api/') && asked.push(request))

    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: '+ 내 PC' }).click()
    await (await choosing).setFiles(makeFile('너무 큰 파일.iso', 1000 * MB + 1))
    const warning = page.getByRole('alertdialog', { name: '파일 용량 초과' })
    await expect(warning).toContainText('너무 큰 파일.iso 파일은 첨부할 수 없습니다.')
    await answer(page, '파일 용량 초과', '확인')
    await expect(page.getByRole('button', { name: '+ 내 PC' })).toBeFocused()
    for (const name of ['폴더/이름.txt', '줄\n바꿈.txt', '긴'.repeat(256), '\u202Efdp.exe']) {
      await drop(page, 'textarea', [{ name, content: 'x' }])
      await answer(page, '파일 이름 오류', '확인')
    }
    const changed = makeFile('바뀐 파일.txt', Buffer.from('하나'))
    await page.locator('input[type=file]').setInputFiles(changed)
    await expect(chip(page, '바뀐 파일.txt')).toBeVisible()
    writeFileSync(changed, '이제는 둘')
    await save(page, '공지사항 등록')
    await answer(page, '파일 읽기 오류', '확인')
    await drop(page, 'h1', [{ name: '빈 파일.txt', content: '' }])
    await expect(chip(page, '빈 파일.txt')).toContainText('0B')
    // By keyboard too: the focus goes to what can be pressed next.
    await chip(page, '빈 파일.txt').press('Enter')
    await expect(page.getByRole('button', { name: '+ 내 PC' })).toBeFocused()
    const choosingAgain = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await (await choosingAgain).setFiles(makeFile('빈 파일.txt', 0))
    await expect(chip(page, '빈 파일.txt')).toBeFocused()
    await drop(page, 'textarea', [{ name: '두 번째.txt', content: 'x' }])
    await answer(page, '다른 파일을 등록하려면 먼저 첨부된 파일을 지워주세요.', '확인')
    await expect(page.getByRole('button', { name: '+ 내 PC' })).toBeDisabled()
    expect(asked.map((request) => request.url())).toEqual([])
    await save(page, '공지사항 등록')
    await answer(page, '등록이 완료되었습니다.', '확인')
    await expect(page.getByRole('button', { name: '빈 파일.txt 내려받기' })).toBeVisible()
  })
})

test.describe('a download (rules/files#download, rules/files#download-link, ADR 016)', () => {
  test('comes under an overlay that can be stopped when small, by a link counted once when large, and says when the file is gone', async ({
    as,
    server,
    relay,
  }) => {
    const { page, person } = await as('user', {}, relay)
    const id = await writeNotice(server, { title: '내려받기', author: person })
    const store = async (name: string, size: number) => {
      await server.db.deleteFrom('notice_files').where('notice_id', '=', id).execute()
      const key = newStorageKey(new Date())
      const storage = await openDiskStorage(join(server.dataDir, 'files'))
      if (size > 0) await putFile(storage, key, Readable.from(zeros(size)))
      await server.db
        .insertInto('notice_files')
        .values({
          id: randomUUID(),
          notice_id: id,
          save_path: key.path,
          save_file_name: key.name,
          original_name: name,
          // Without bytes: a large one that the storage has lost.
          size_bytes: String(size || 33 * MB),
        })
        .execute()
      await page.goto(`/notice/detail?noticeId=${id}`)
      return page.getByRole('button', { name: `${name} 내려받기`, exact: true })
    }

    const small = await store('작은 파일.txt', 5)
    const way = relay.hold('/api/bmt/v1/dwn/fileInfo')
    await small.click()
    await way.reached
    const overlay = page.getByRole('dialog', { name: '작은 파일.txt 내려받는 중' })
    await expect(overlay.getByRole('status')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(overlay).toHaveCount(0)
    await expect(small).toBeFocused()
    way.release()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)

    const name = "2026년 '대용량' 자료 (최종) 50%.zip"
    const large = await store(name, 33 * MB)
    const downloading = page.waitForEvent('download')
    await large.click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(name)
    expect(download.url()).toContain('/api/bmt/v1/files/')
    expect((await stat(await download.path())).size).toBe(33 * MB)
    await page.reload()
    await expect(page.getByText('내려받기 1회')).toBeVisible()

    await (await store('잃어버린 자료.zip', 0)).click()
    await answer(page, '파일이 존재하지 않습니다. 다시 등록해주세요.', '확인')
    await expect(page).toHaveURL(/notice\/detail/)
    const repair = relay.refuse('/api/bmt/v1/dwn/linkInfo', 502)
    await page.getByRole('button', { name: '잃어버린 자료.zip 내려받기' }).click()
    await answer(page, '관리자에게 문의해주세요.', '확인')
    repair()
    await expect(page).toHaveURL(/main$/)
  })
})

function* zeros(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= MB) yield Buffer.alloc(Math.min(left, MB))
}
