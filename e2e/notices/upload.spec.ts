import type { Page, Request } from '@playwright/test'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beginUpload, createNotice, finishUpload } from '../../contract/notices.ts'
import { answer } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, test, type WorkerMaru } from '../fixtures/test.ts'
import {
  attachFile,
  chip,
  drop,
  field,
  filesOf,
  noticeIdOf,
  saveButton,
  waitUntilSent,
  titleField,
  writeNotice,
} from './steps.ts'

const MB = 1024 * 1024

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

/** The upload as the field shows it. */
const progress = (page: Page) => field(page).getByRole('region', { name: / 업로드$/ })
const waiting = (page: Page) => page.getByRole('dialog', { name: '파일 업로드' })
const uploads = (server: WorkerMaru) => server.db.selectFrom('uploads').selectAll().execute()
const unfinished = async (server: WorkerMaru) =>
  (await uploads(server)).filter(({ finishedAt }) => finishedAt === null)

async function save(page: Page, title: '공지사항 등록' | '공지사항 수정'): Promise<void> {
  await saveButton(page).click()
  await answer(page, title, '네')
}

/** Waits until the first bytes went over, and until there is something to reckon with. */
async function underWay(page: Page): Promise<void> {
  await expect(progress(page).getByText(/^초당 [\d.]+(KB|MB)$/)).toBeVisible()
}

/** Returns the offsets of the file that the page sends, in order. */
function offsetsSent(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return offsets
}

test.describe('an upload (rules/files#upload-progress, design/uploads-and-files#rows-before-bytes)', () => {
  test('begins when a file is picked; canceling keeps the old file and leaves nothing', async ({
    as,
    server,
    relay,
    expectAccessible,
  }) => {
    const { page, person } = await as('user', {}, relay)
    const id = await writeNotice(server, { title: '바꿀 첨부', author: person })
    await attachFile(server, id, '처음.txt')
    await page.goto(`/notice/detail?noticeId=${id}`)
    await page.getByRole('link', { name: '수정', exact: true }).click()
    await chip(page, '처음.txt').click()
    const name = `${'아주 긴 이름의 점검 결과 보고서 '.repeat(5).trim()}.zip`
    const file = makeFile(name, 24 * MB)
    const input = page.locator('fieldset input[type=file]')
    relay.pace(1 * MB, 20 * MB)
    await input.setInputFiles(file)
    await underWay(page)
    await titleField(page).fill('바꾼 첨부')
    await expect(progress(page).getByText(/^[\d.]+MB \/ 24MB$/)).toBeVisible()
    await expect(progress(page).getByText(/^약 \d+초 남음$/)).toBeVisible()
    await expectAccessible(page)
    const [row] = await unfinished(server)
    await progress(page).getByRole('button', { name: '업로드 취소' }).click()
    await expect(page.getByRole('button', { name: '+ 내 PC' })).toBeFocused()
    await expect(progress(page)).toHaveCount(0)
    await expect.poll(() => unfinished(server)).toEqual([])
    expect(existsSync(join(server.dataDir, 'files', '.incoming', row!.saveFileName))).toBe(false)

    // A save waits for the upload. The user can return to the form, and nothing is published.
    await input.setInputFiles(file)
    await underWay(page)
    await save(page, '공지사항 수정')
    await expect(waiting(page)).toContainText('파일의 업로드가 끝나면 바로 저장합니다.')
    await expectAccessible(page)
    await waiting(page).getByRole('button', { name: '돌아가서 계속 작성' }).click()
    await expect(saveButton(page)).toBeFocused()
    expect(await filesOf(server, id)).toEqual(['처음.txt'])

    // Left in the middle: its draft names it, and nobody has to go on.
    await page.evaluate(() => history.back())
    await answer(page, '저장하지 않은 내용', '네')
    await expect(page).toHaveURL(/notice\/detail/)
    await page.getByRole('link', { name: '수정', exact: true }).click()
    const offer = page.getByRole('region', { name: '임시 저장' })
    await expect(offer).toContainText('작성하던 내용과 업로드하던 첨부파일이 있습니다.')
    await offer.getByRole('button', { name: '이어서 작성' }).click()
    const hint = page.getByText(/^아주 긴 이름의 .* 끝나지 않았습니다\. 같은 파일을 다시 선택하면 이어서/)
    await expect(hint).toBeVisible()
    await expectAccessible(page)
    await save(page, '공지사항 수정')
    await expect(field(page).getByRole('alert')).toContainText('업로드가 끝나지 않은 파일이 있습니다.')
    await page.getByRole('button', { name: '이어서 업로드하지 않기' }).click()
    await expect(hint).toHaveCount(0)
    await expect(chip(page, '처음.txt')).toBeFocused()
    await expect.poll(() => unfinished(server)).toEqual([])
    await chip(page, '처음.txt').press('Enter')

    relay.pace(Infinity)
    await input.setInputFiles(file)
    await save(page, '공지사항 수정')
    await answer(page, '수정이 완료되었습니다.', '확인')
    await expect(page.getByRole('button', { name: `${name} 내려받기` })).toBeVisible()
    expect(await filesOf(server, id)).toEqual([name])
  })

  test('continues after a lost connection and an expired session without losing a byte', async ({
    as,
    server,
    relay,
  }) => {
    const { page, person } = await as('user', {}, relay)
    const offsets = offsetsSent(page)
    const content = randomBytes(20 * MB)
    await page.goto('/notice/insert')
    await titleField(page).fill('끊기는 전송')
    relay.pace(2 * MB, 10 * MB)
    await page.locator('fieldset input[type=file]').setInputFiles(makeFile('자료.bin', content))
    await underWay(page)
    const mend = relay.cut()
    await expect(progress(page)).toContainText('연결이 끊겼습니다.')
    await server.db.deleteFrom('sessions').where('userId', '=', person.id).execute()
    mend()
    const again = page.getByRole('alertdialog', { name: '다시 로그인' })
    await again.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
    await again.getByRole('button', { name: '로그인', exact: true }).click()
    await expect(again).toHaveCount(0)
    await save(page, '공지사항 등록')
    expect(await server.db.selectFrom('notices').selectAll().execute()).toEqual([])
    relay.pace(Infinity)
    await answer(page, '등록이 완료되었습니다.', '확인')
    expect(offsets.at(0)).toBe(0)
    expect(offsets.at(-1)).toBeGreaterThan(0)
    // Small enough to come through the page, under the overlay (rules/files#download).
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: '자료.bin 내려받기' }).click()
    expect(sha256(await readFile(await (await downloading).path()))).toBe(sha256(content))
  })

  test('offers the upload with the draft: the same file continues, another restarts', async ({
    as,
    server,
    relay,
  }) => {
    const { page } = await as('user', {}, relay)
    page.on('dialog', (dialog) => void dialog.accept())
    const offsets = offsetsSent(page)
    const path = makeFile('이어질 자료.bin', 20 * MB)
    const input = page.locator('fieldset input[type=file]')
    await page.goto('/notice/insert')
    await titleField(page).fill('다시 읽은 화면')
    relay.pace(2 * MB, 10 * MB)
    await input.setInputFiles(path)
    await underWay(page)
    await page.reload()
    await page.getByRole('button', { name: '이어서 작성' }).click()
    await expect(titleField(page)).toHaveValue('다시 읽은 화면')
    await expect(page.getByText(/^이어질 자료.bin 파일의 업로드가 끝나지 않았습니다./)).toBeVisible()
    relay.pace(Infinity)
    await input.setInputFiles(path)
    await waitUntilSent(page)
    expect(offsets).toHaveLength(2)
    expect(offsets[1]).toBeGreaterThan(0)
    // All of it is there: nothing has to be picked again.
    await page.reload()
    await page.getByRole('button', { name: '이어서 작성' }).click()
    await expect(chip(page, '이어질 자료.bin')).toBeVisible()
    await save(page, '공지사항 등록')
    await answer(page, '등록이 완료되었습니다.', '확인')
    await expect(page).toHaveURL(/notice\/detail/)
    expect(await filesOf(server, noticeIdOf(page))).toEqual(['이어질 자료.bin'])
    expect(await uploads(server)).toHaveLength(1)
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /draft/.test(key)))).toEqual(
      [],
    )
  })

  test('retries after a server error at the end without sending a byte twice', async ({
    as,
    server,
    relay,
  }) => {
    const { page } = await as('user', {}, relay)
    const offsets = offsetsSent(page)
    await page.goto('/notice/insert')
    await titleField(page).fill('끝에서 실패하는 전송')
    const repair = relay.refuse(`/api${finishUpload.path}`, 500)
    await page.locator('fieldset input[type=file]').setInputFiles(makeFile('계획.txt', Buffer.from('계획')))
    await expect(field(page).getByRole('alert')).toBeVisible()
    await expect(chip(page, '계획.txt')).toBeVisible()
    repair()
    await progress(page).getByRole('button', { name: '다시 시도' }).click()
    await waitUntilSent(page)
    await expect(field(page).getByRole('alert')).toHaveCount(0)
    const mend = relay.refuse(`/api${createNotice.path}`, 500)
    await save(page, '공지사항 등록')
    await answer(page, '관리자에게 문의해주세요.', '확인')
    await expect(page).toHaveURL(/main$/)
    mend()
    await page.goto('/notice/insert')
    await page.getByRole('button', { name: '이어서 작성' }).click()
    await expect(chip(page, '계획.txt')).toBeVisible()
    await save(page, '공지사항 등록')
    await answer(page, '등록이 완료되었습니다.', '확인')
    await expect(page.getByRole('heading', { name: '첨부파일 (1)' })).toBeVisible()
    expect(offsets).toEqual([0])
    expect(await filesOf(server, noticeIdOf(page))).toEqual(['계획.txt'])
  })

  test('accepts a file dropped anywhere, and warns of a bad size, name or duplicate (rules/files#file-name)', async ({
    as,
    relay,
  }) => {
    const { page } = await as('user', {}, relay)
    // A permanent listener: if it were switched on per key press, the browser might receive that after the key.
    page.on('filechooser', () => {})
    await page.goto('/notice/insert')
    await titleField(page).fill('끌어다 놓기')
    const asked: Request[] = []
    page.on('request', (request) => request.url().endsWith(beginUpload.path) && asked.push(request))

    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: '+ 내 PC' }).click()
    await (await choosing).setFiles(makeFile('너무 큰 파일.iso', 1000 * MB + 1))
    const warning = page.getByRole('alertdialog', { name: '파일 용량 초과' })
    await expect(warning).toContainText('너무 큰 파일.iso 파일은 첨부할 수 없습니다.')
    await answer(page, '파일 용량 초과', '확인')
    await expect(page.getByRole('button', { name: '+ 내 PC' })).toBeFocused()
    for (const name of ['폴더/이름.txt', '줄\n바꿈.txt', '긴'.repeat(256), '\u202Efdp.exe']) {
      await drop(page, '[contenteditable]', [{ name, content: 'x' }])
      await answer(page, '파일 이름 오류', '확인')
    }
    expect(asked).toEqual([])
    const changed = makeFile('바뀐 파일.txt', 24 * MB)
    relay.pace(1 * MB, 20 * MB)
    await page.locator('fieldset input[type=file]').setInputFiles(changed)
    await underWay(page)
    writeFileSync(changed, '이제는 둘')
    const mend = relay.cut()
    await expect(field(page).getByRole('alert')).toContainText('파일을 읽을 수 없습니다.')
    await expect(chip(page, '바뀐 파일.txt')).toHaveCount(0)
    mend()
    relay.pace(Infinity)
    await drop(page, 'h1', [{ name: '빈 파일.txt', content: '' }])
    await expect(chip(page, '빈 파일.txt')).toContainText('0B')
    await waitUntilSent(page)
    // By keyboard too: the focus goes to what can be pressed next.
    await chip(page, '빈 파일.txt').press('Enter')
    await expect(page.getByRole('button', { name: '+ 내 PC' })).toBeFocused()
    const choosingAgain = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await (await choosingAgain).setFiles(makeFile('빈 파일.txt', 0))
    await expect(chip(page, '빈 파일.txt')).toBeFocused()
    await drop(page, '[contenteditable]', [{ name: '두 번째.txt', content: 'x' }])
    await answer(page, '다른 파일을 등록하려면 먼저 첨부된 파일을 삭제해주세요.', '확인')
    await expect(page.getByRole('button', { name: '+ 내 PC' })).toBeDisabled()
    await save(page, '공지사항 등록')
    await answer(page, '등록이 완료되었습니다.', '확인')
    await expect(page.getByRole('button', { name: '빈 파일.txt 내려받기' })).toBeVisible()
  })
})
