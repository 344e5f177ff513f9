import type { Locator, Page } from '@playwright/test'
import { randomBytes } from 'node:crypto'
import { API_BASE } from '../../contract/envelope.ts'
import { beginUpload } from '../../contract/notices.ts'
import { pngOf } from '../../dev/test-kit/pictures.ts'
import { answer } from '../fixtures/dialogs.ts'
import { expect, test, type WorkerMaru } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { chip, memo, openSource, saveButton, waitUntilSent, titleField } from './steps.ts'

/* Pictures in the text of a notice (rules/notices#pictures, rules/notices#inserting-pictures). */

const MB = 1024 * 1024
const area = (page: Page) => page.getByRole('textbox', { name: '내용', exact: true })
const status = (page: Page) => page.getByText(/사진을 업로드하는 중입니다/)
const preview = (page: Page) => page.getByRole('region', { name: '미리보기' })

interface Given {
  name: string
  type?: string
  content: Buffer
}

/** Creates the data transfer of a paste or a drag. */
function transferOf(page: Page, files: readonly Given[], text = '') {
  const given = files.map(({ content, ...file }) => ({ ...file, base64: content.toString('base64') }))
  return page.evaluateHandle(
    ([all, plain]) => {
      const transfer = new DataTransfer()
      for (const { name, type, base64 } of all) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type: type ?? 'image/png' }))
      }
      if (plain !== '') transfer.setData('text/plain', plain)
      return transfer
    },
    [given, text] as const,
  )
}

async function paste(page: Page, files: readonly Given[], text = ''): Promise<void> {
  const transfer = await transferOf(page, files, text)
  await area(page).evaluate((element, clipboardData) => {
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, transfer)
}

async function drop(page: Page, files: readonly Given[]): Promise<void> {
  const dataTransfer = await transferOf(page, files)
  for (const type of ['dragover', 'drop']) await area(page).dispatchEvent(type, { dataTransfer })
}

/** Returns the natural width of a shown image, 0 if it is none. */
const shownWidth = (image: Locator) => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)

const uploads = (server: WorkerMaru) => server.db.selectFrom('uploads').selectAll().execute()

async function save(page: Page): Promise<void> {
  await saveButton(page).click()
  await answer(page, '공지사항 등록', '네')
}

async function saved(page: Page): Promise<void> {
  await answer(page, '등록이 완료되었습니다.', '확인')
  await expect(memo(page)).toBeVisible()
}

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('notices').execute()
  await server.db.deleteFrom('uploads').execute()
})

test('inserts images by choice, paste and drop, previews, shows and prints them', async ({
  as,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('user')
  const file = { name: '1층 [배치도].png', mimeType: 'image/png', buffer: pngOf(640, 200) }
  // Before anything is pressed: the browser drops a choice that nobody listens for.
  page.on('filechooser', (chooser) => void chooser.setFiles(file))
  await openSource(page)
  await titleField(page).fill('층별 안내')
  const text = area(page)
  await text.fill('1층부터 봅니다.')
  await page.getByRole('button', { name: '굵게 (Ctrl+B)' }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(text).toHaveValue(/^1층부터 봅니다\.\n\n!\[1층 배치도\]\(image:[a-z0-9]{10}\)\n\n$/)
  // Its words are there to be typed over.
  await expect(text).toBeFocused()
  await page.keyboard.type('정문과 비상구')
  await text.press('ControlOrMeta+End')
  await page.keyboard.type('2층입니다.')
  await paste(page, [{ name: 'image.png', content: pngOf(320, 100) }])
  await expect(text).toHaveValue(/정문과 비상구\]\(image:\w+\)\n\n2층입니다\.\n\n!\[사진\]\(image:\w+\)\n\n$/)
  // As any typing, it can be taken back, and comes again.
  await text.press('ControlOrMeta+z')
  await expect(text).toHaveValue(/2층입니다\.$/)
  await text.press('ControlOrMeta+Shift+z')
  await expect(text).toHaveValue(/!\[사진\]/)
  await text.press('ControlOrMeta+End')
  await drop(page, [{ name: '3층.png', content: pngOf(2000, 3000) }])
  await expect(text).toHaveValue(/!\[3층\]\(image:\w+\)\n\n$/)
  // It is no attached file, and a table that was copied comes as text.
  await expect(page.getByRole('button', { name: '+ 내 PC' })).toBeEnabled()
  const before = await text.inputValue()
  await paste(page, [{ name: 'image.png', content: pngOf(3, 3) }], '표의 글')
  await expect(status(page)).toHaveCount(0)
  await expect(text).toHaveValue(before)

  await page.getByRole('button', { name: '미리보기' }).click()
  for (const [name, width] of [
    ['정문과 비상구', 640],
    ['사진', 320],
    ['3층', 2000],
  ] as const)
    await expect.poll(() => shownWidth(preview(page).getByRole('img', { name }))).toBe(width)
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  await save(page)
  await saved(page)

  const first = memo(page).getByRole('img', { name: '정문과 비상구' })
  await expect.poll(() => shownWidth(first)).toBe(640)
  await expect(first).toHaveAttribute('src', /^blob:/)
  // At most as wide as the text, with the ratio of the stored size.
  const box = await memo(page).getByRole('img', { name: '3층' }).boundingBox()
  expect(box!.width).toBeLessThan(800)
  expect(box!.height / box!.width).toBeCloseTo(1.5, 1)

  // Print shows all of them, whether the reader has scrolled to them or not (rules/notices#print).
  await page.reload()
  await expect(memo(page)).toContainText('2층입니다.')
  await page.evaluate(() => {
    window.print = () => {
      const widths = Array.from(
        document.querySelectorAll('article img'),
        (image) => (image as HTMLImageElement).naturalWidth,
      )
      document.body.setAttribute('data-printed', widths.join())
    }
  })
  await page.getByRole('button', { name: '인쇄' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed', '640,320,2000')

  // An edit takes one out, and brings another.
  await page.getByRole('link', { name: '수정', exact: true }).click()
  await text.fill((await text.inputValue()).replace(/!\[사진\]\(image:\w+\)\n/, ''))
  await text.press('ControlOrMeta+End')
  await paste(page, [{ name: '옥상.png', content: pngOf(50, 40) }])
  await expect(text).toHaveValue(/!\[옥상\]/)
  await saveButton(page).click()
  await answer(page, '공지사항 수정', '네')
  await answer(page, '수정이 완료되었습니다.', '확인')
  await expect.poll(() => shownWidth(memo(page).getByRole('img', { name: '옥상' }))).toBe(50)
  await expect(memo(page).getByRole('img', { name: '사진' })).toHaveCount(0)
})

test('reports a file that is not an image and inserts the others of the selection', async ({
  as,
  expectAccessible,
}) => {
  const { page } = await as('user')
  await openSource(page)
  const text = area(page)
  await text.fill('그대로')
  await paste(page, [
    { name: '도안.svg', type: 'image/svg+xml', content: Buffer.from('<svg onload="alert(1)"/>') },
    { name: '큰 사진.png', content: Buffer.concat([pngOf(1, 1), Buffer.alloc(10 * MB)]) },
    { name: '좋은 사진.png', content: pngOf(10, 10) },
  ])
  await expect(
    page.getByRole('alert').filter({ hasText: '도안.svg: 본문에는 PNG, JPEG, GIF, WebP' }),
  ).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: '큰 사진.png: 본문에 넣는 사진은' })).toBeVisible()
  await expect(text).toHaveValue(/^그대로\n\n!\[좋은 사진\]\(image:\w+\)\n\n$/)
  await expectAccessible(page)
  const names = Array.from({ length: 30 }, (_, n) => `![x](image:picture${100 + n})`)
  await text.fill(names.join('\n'))
  await paste(page, [{ name: '하나 더.png', content: pngOf(10, 10) }])
  await expect(page.getByRole('alert').filter({ hasText: '사진을 30장까지' })).toBeVisible()
  await expect(text).toHaveValue(names.join('\n'))
  // A file that is not an image is attached, like any dropped file.
  await drop(page, [{ name: '계획.txt', type: 'text/plain', content: Buffer.from('계획') }])
  await expect(chip(page, '계획.txt')).toBeVisible()
  await waitUntilSent(page)
  await expect(text).toHaveValue(names.join('\n'))
})

test('waits for pending images, removes a refused one and restores them from a draft', async ({
  as,
  server,
  relay,
  expectAccessible,
}) => {
  const { page } = await as('user', {}, relay)
  await openSource(page)
  await titleField(page).fill('사진과 함께')
  const text = area(page)
  await text.fill('글')
  // The server alone looks at how many pixels there are.
  const huge = Buffer.concat([pngOf(1, 1)])
  huge.writeUInt32BE(20_000, 16)
  huge.writeUInt32BE(20_000, 20)
  await paste(page, [{ name: '거대한 사진.png', content: huge }])
  const failed = page
    .getByRole('alert')
    .filter({ hasText: '거대한 사진.png 사진을 업로드하지 못했습니다. 본문에는' })
  await expect(failed).toBeVisible()
  await expectAccessible(page)
  await save(page)
  await expect(failed).toBeVisible()
  expect(await server.db.selectFrom('notices').select('id').execute()).toEqual([])
  await page.getByRole('button', { name: '본문에서 빼기' }).click()
  await expect(failed).toHaveCount(0)
  await expect(text).toHaveValue('글\n\n')
  await text.press('ControlOrMeta+z')
  await expect(text).toHaveValue(/!\[거대한 사진\]/)
  await page.getByRole('button', { name: '본문에서 빼기' }).click()

  // Not even begun while it is held.
  const held = relay.hold(`${API_BASE}${beginUpload.path}`)
  const large = Buffer.concat([pngOf(30, 20), randomBytes(2 * MB)])
  await paste(page, [{ name: '느린 사진.png', content: large }])
  await held.reached
  await expect(status(page)).toHaveText('느린 사진.png 사진을 업로드하는 중입니다. 0%')
  await save(page)
  const dialog = page.getByRole('dialog', { name: '파일 업로드' })
  await expect(dialog).toContainText('사진 1장의 업로드가 끝나면 바로 저장합니다.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '돌아가서 계속 작성' }).click()
  await expect(dialog).toHaveCount(0)
  held.release()
  await expect(status(page)).toHaveCount(0)
  expect((await uploads(server)).filter((row) => row.storedAt !== null)).toMatchObject([
    { originalName: '느린 사진.png', width: 30, height: 20 },
  ])

  await expect(page.getByText(/에 이 브라우저에 임시 저장했습니다\.$/)).toBeVisible()
  await page.reload()
  await page.getByRole('region', { name: '임시 저장' }).getByRole('button', { name: '이어서 작성' }).click()
  await page.getByRole('button', { name: '미리보기' }).click()
  await expect.poll(() => shownWidth(preview(page).getByRole('img', { name: '느린 사진' }))).toBe(30)
  await page.getByRole('button', { name: '미리보기' }).click()
  const again = relay.hold(`${API_BASE}${beginUpload.path}`)
  await text.press('ControlOrMeta+End')
  await paste(page, [{ name: '또 하나.png', content: pngOf(7, 7) }])
  await again.reached
  await save(page)
  await expect(dialog).toBeVisible()
  again.release()
  await saved(page)
  for (const [name, width] of [
    ['느린 사진', 30],
    ['또 하나', 7],
  ] as const)
    await expect.poll(() => shownWidth(memo(page).getByRole('img', { name }))).toBe(width)
})

test('enlarges an image by mouse and keyboard, except within a link (rules/notices#pictures)', async ({
  as,
  expectAccessible,
}) => {
  const { page } = await as('user')
  await openSource(page)
  await titleField(page).fill('큰 배치도')
  const text = area(page)
  await text.fill('1층입니다.\n\n')
  await text.press('ControlOrMeta+End')
  await paste(page, [{ name: '배치도.png', content: pngOf(1200, 400) }])
  await expect(text).toHaveValue(/!\[배치도\]\(image:\w+\)/)
  const picture = /!\[배치도\]\(image:\w+\)/.exec(await text.inputValue())?.[0] ?? ''
  await text.fill(`${picture}\n\n[${picture.replace('배치도', '길')}](/main)`)
  await save(page)
  await saved(page)

  const open = memo(page).getByRole('button', { name: '배치도 크게 보기' })
  await expect(open).toBeEnabled()
  await open.press('Enter')
  const dialog = page.getByRole('dialog', { name: '배치도', exact: true })
  const large = dialog.getByRole('img', { name: '배치도', exact: true })
  await expect.poll(() => shownWidth(large)).toBe(1200)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(open).toBeFocused()
  await open.click()
  await dialog.getByRole('button', { name: '닫기', exact: true }).click()
  await expect(dialog).toHaveCount(0)

  await expect(memo(page).getByRole('button')).toHaveCount(1)
  await memo(page).getByRole('link', { name: '길', exact: true }).click()
  await expect(page).toHaveURL('/main')
})
