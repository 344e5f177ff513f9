import { join } from 'node:path'
import { Readable } from 'node:stream'
import { NOTIFICATION_STREAM_PATH } from '../../contract/notifications/count.ts'
import { newStorageKey, putFile } from '../../server/services/storage.ts'
import { openDiskStorage } from '../../server/services/storage/disk.ts'
import { answer, logOut } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, waitUntilSettled, test } from '../fixtures/test.ts'
import { attach, chip, noticeIdOf, saveButton, titleField } from '../notices/steps.ts'
import { logIn } from './steps.ts'

test('sends a session cookie that no script reads with every request of the page (rules/account#session-cookie)', async ({
  page,
  server,
}) => {
  const context = page.context()
  const { userId } = await server.createUser({ name: '쿠키쓰는이' })
  const streams: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith(NOTIFICATION_STREAM_PATH)) streams.push(response.status())
  })
  await page.goto('/login')
  await logIn(page, userId, PASSWORD)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('쿠키쓰는이 님')
  const [cookie] = await context.cookies(`${server.url}/api/`)
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api', secure: false })
  expect(await page.evaluate(() => document.cookie)).toBe('')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(cookie?.value)
  await expect.poll(() => streams).toContain(200)

  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('쿠키쓰는이 님')

  // An upload, a notice, a download.
  await page.goto('/notice/insert')
  await titleField(page).fill('쿠키로 올린 글')
  await attach(page, '첨부.txt', '내용')
  await expect(chip(page, '첨부.txt')).toBeVisible()
  await saveButton(page).click()
  await answer(page, '공지사항 등록', '네')
  await answer(page, '등록이 완료되었습니다.', '확인')
  const download = async () => {
    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: '첨부.txt 내려받기', exact: true }).click()
    const done = await started
    expect(await done.failure()).toBeNull()
    return done.url()
  }
  expect(await download()).toContain('blob:')
  // A large file comes by a link, without the header.
  const bytes = 33 * 1024 * 1024
  const key = newStorageKey(new Date())
  const storage = await openDiskStorage(join(server.dataDir, 'files'))
  await putFile(storage, key, Readable.from([Buffer.alloc(bytes)]))
  await server.db
    .updateTable('noticeFiles')
    .set({ savePath: key.path, saveFileName: key.name, sizeBytes: String(bytes) })
    .where('noticeId', '=', noticeIdOf(page))
    .execute()
  await page.reload()
  expect(await download()).toContain('/api/bmt/v1/files/')

  await page.goto('/notice/insert')
  // The cookie is lost: as an expired session, and the login over the form brings another one.
  await titleField(page).fill('쓰던 제목')
  await waitUntilSettled(page)
  await context.clearCookies()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const again = page.getByRole('alertdialog', { name: '다시 로그인' })
  await again.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await again.getByRole('button', { name: '로그인', exact: true }).click()
  await expect(again).toHaveCount(0)
  await expect(titleField(page)).toHaveValue('쓰던 제목')
  expect(await context.cookies(`${server.url}/api/`)).toHaveLength(1)

  page.on('dialog', (dialog) => void dialog.accept())
  await logOut(page)
  await expect(page).toHaveURL('/login')
  await expect.poll(() => context.cookies(`${server.url}/api/`)).toEqual([])
})
