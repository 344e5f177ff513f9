import type { Locator, Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { BULLET } from '../../contract/notices.ts'
import { newStorageKey, putFile } from '../../server/services/storage.ts'
import { openDiskStorage } from '../../server/services/storage/disk.ts'
import { documentWidth } from '../fixtures/width.ts'
import { expect, waitUntilSettled, test, type WorkerMaru } from '../fixtures/test.ts'

interface NewNotice {
  title: string
  author: { id: string }
  bullet?: string
  /** YYYY-MM-DD HH:mm:ss in Asia/Seoul */
  at?: string
}

async function writeNotice(server: WorkerMaru, { title, author, bullet, at }: NewNotice): Promise<string> {
  const { id } = await server.db
    .insertInto('notices')
    .values({
      bulletCode: bullet ?? BULLET.notice,
      title,
      memo: null,
      authorId: author.id,
      createdAt: `${at ?? '2026-11-20 09:00:00'}+09:00`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Attaches a file; `content` null leaves the row without its file, as a disk that lost it does. */
async function attach(server: WorkerMaru, noticeId: string, name: string, content: Buffer | null) {
  const storage = await openDiskStorage(join(server.dataDir, 'files'))
  const key = newStorageKey(new Date())
  if (content !== null) await putFile(storage, key, Readable.from([content]))
  await server.db
    .insertInto('noticeFiles')
    .values({
      id: randomUUID(),
      noticeId,
      savePath: key.path,
      saveFileName: key.name,
      originalName: name,
      sizeBytes: String(content?.length ?? 0),
    })
    .execute()
}

const box = (part: Locator) => part.evaluate((it) => it.getBoundingClientRect())
const notices = (page: Page) => page.getByRole('region', { name: '공지사항 조회' })

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('notices').execute()
})

test.describe('the notice panel (rules/home#notice-panel)', () => {
  test('lists the 4 newest notices, newest first, fills 4 slots with placeholders and shows the empty text in the first', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    const height = async () => (await notices(page).boundingBox())?.height
    for (const day of [11, 15, 13, 12, 14])
      await writeNotice(server, { title: `${day}일 공지`, author: person, at: `2026-11-${day} 08:05:09` })
    await page.goto('/main')
    await expect(notices(page).getByRole('listitem')).toHaveCount(4)
    for (const [index, day] of [15, 14, 13, 12].entries()) {
      const slot = notices(page).getByRole('listitem').nth(index)
      await expect(slot).toContainText(`${day}일 공지`)
      await expect(slot.getByRole('time')).toHaveText(`2026-11-${day} 08:05:09`)
    }
    const full = await height()
    await server.db.deleteFrom('notices').where('title', '<>', '14일 공지').execute()
    await page.reload()
    await expect(notices(page).getByText('14일 공지')).toBeVisible()
    await expect(notices(page).getByRole('listitem', { includeHidden: true })).toHaveCount(4)
    await expect(notices(page).getByRole('listitem')).toHaveCount(1)
    expect(await height()).toBe(full)
    await server.db.deleteFrom('notices').execute()
    // The user's own scheduled notice is on the board, not here.
    await writeNotice(server, { title: '예약된 공지', author: person, at: '2099-01-01 09:00:00' })
    await page.reload()
    const slots = notices(page).getByRole('listitem', { includeHidden: true })
    await expect(slots).toHaveText(['등록된 공지사항이 없습니다.', '', '', ''])
    expect(await height()).toBe(full)
  })

  test('marks BE0001 with an exclamation mark, any other bullet with a key, and opens the detail (rules/home#bullet-icons, rules/home#notice-link)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    const id = await writeNotice(server, { title: '느낌표', author: person, bullet: BULLET.notice })
    const long = '아주 긴 제목의 공지사항입니다 '.repeat(12).trim()
    await writeNotice(server, { title: long, author: person })
    await writeNotice(server, { title: '열쇠', author: person, bullet: BULLET.keyIssue })
    await server.db
      .insertInto('codes')
      .values({ groupCode: 'BULLET', code: 'BE0003', nameKo: '기타', nameEn: 'Other', sortOrder: 9 })
      .execute()
    await writeNotice(server, { title: '다른 코드', author: person, bullet: 'BE0003' })
    await page.goto('/main')
    const icon = (title: string) =>
      notices(page).getByRole('listitem').filter({ hasText: title }).locator('svg').first().innerHTML()
    await expect(notices(page).getByRole('listitem')).toHaveCount(4)
    expect(await icon('열쇠')).not.toBe(await icon('느낌표'))
    expect(await icon('다른 코드')).toBe(await icon('열쇠'))
    await expect(notices(page).getByRole('listitem').filter({ hasText: '느낌표' })).toContainText('공지')
    await expect(notices(page).getByRole('listitem').filter({ hasText: '열쇠' })).toContainText('키발급')
    // A long title stays on one line, with its words in a tooltip.
    await expect(page.getByTitle(long, { exact: true })).toBeVisible()
    expect(await documentWidth(page)).toBe(1440)
    await page.getByRole('link', { name: '느낌표 상세 보기' }).click()
    await expect(page).toHaveURL(`/notice/detail?noticeId=${id}&user_id=${person.userId}`)
    await server.db.deleteFrom('notices').execute()
    await server.db.deleteFrom('codes').where('code', '=', 'BE0003').execute()
  })

  test('saves a file under its Korean name, byte for byte, and says that another is gone (rules/files#file-missing)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    const id = await writeNotice(server, { title: '첨부가 있는 공지', author: person })
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256))
    const name = "2026년 하반기 '보안' 점검표 (최종).pdf"
    await attach(server, id, name, content)
    const lost = await writeNotice(server, { title: '파일을 잃은 공지', author: person })
    await attach(server, lost, '잃어버린 파일.txt', null)
    await page.goto('/main')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: `${name} 내려받기` }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(name)
    expect((await readFile(await download.path())).equals(content)).toBe(true)
    await page.getByRole('button', { name: '잃어버린 파일.txt 내려받기' }).click()
    const alert = page.getByRole('alertdialog', { name: '파일이 존재하지 않습니다. 다시 등록해주세요.' })
    await alert.getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/main')
  })

  test('says that a download failed otherwise and lets the person try again (rules/files#file-missing)', async ({
    as,
    server,
    fragile,
  }) => {
    const { page, person } = await as('user', {}, fragile)
    const id = await writeNotice(server, { title: '첨부가 있는 공지', author: person })
    await attach(server, id, '안내.txt', Buffer.from('안내'))
    await page.goto('/main')
    const button = page.getByRole('button', { name: '안내.txt 내려받기' })
    await expect(button).toBeVisible()
    await waitUntilSettled(page)
    fragile.cutDatabase()
    await button.click()
    const confirm = (text: string) =>
      page.getByRole('alertdialog', { name: text }).getByRole('button', { name: '확인' }).click()
    await confirm('관리자에게 문의해주세요.')
    await fragile.mendDatabase()
    await waitUntilSettled(page)
    await fragile.stopServer()
    await button.click()
    await confirm('파일을 내려받지 못했습니다.')
    await fragile.startServer()
    const downloading = page.waitForEvent('download')
    await button.click()
    expect((await downloading).suggestedFilename()).toBe('안내.txt')
  })
})

test.describe('the right panel (rules/home#right-panel)', () => {
  test('shows an ordinary user the building and no user search', async ({
    as,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('user')
    await page.goto('/main')
    await expect(page.getByRole('img', { name: '사옥 그림' })).toBeVisible()
    await expect(page.getByRole('search')).toHaveCount(0)
    await expectAccessibleInEveryLook(page)
  })

  test('shows the greeting on a banner at every width, above notices and tasks', async ({
    as,
    expectAccessible,
  }) => {
    const { page } = await as('admin')
    const building = page.getByRole('img', { name: '사옥 그림' })
    const toDo = page.getByRole('region', { name: '할 일' })
    await page.goto('/main')
    for (const [width, height] of [
      [390, 844],
      [768, 1024],
      [1366, 768],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect(toDo.getByRole('listitem').first()).toBeVisible()
      const [greeting, board, tasks] = [
        await box(page.getByRole('heading', { level: 1 })),
        await box(notices(page)),
        await box(toDo),
      ]
      const drawing = await box(building)
      expect(drawing.bottom, `${width}`).toBeLessThan(board.top)
      expect(greeting.bottom).toBeLessThan(drawing.bottom)
      expect(greeting.right).toBeLessThan(drawing.left + drawing.width / 2)
      if (width === 390) expect(tasks.top).toBeGreaterThan(board.bottom)
      else expect(tasks.top).toBe(board.top)
      if (width >= 1200) expect(Math.max(board.bottom, tasks.bottom)).toBeLessThan(height)
      expect(await documentWidth(page)).toBe(width)
    }
    await expect(page.getByRole('search')).toHaveCount(0)
    await expectAccessible(page)
  })

  test('shows HR the notices, the tasks and the user search in one row (rules/home#right-panel)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('hr')
    const noticeId = await writeNotice(server, { title: '전 직원 필독 공지', author: person })
    await server.db.updateTable('notices').set({ mustRead: true }).where('id', '=', noticeId).execute()
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.goto('/main')
    const tops = ['공지사항 조회', '할 일', '사용자 조회'].map(async (name) => {
      const { top } = await box(page.getByRole('region', { name, exact: true }))
      return top
    })
    const [first, ...others] = await Promise.all(tops)
    expect(others).toEqual([first, first])
    expect(await documentWidth(page)).toBe(1366)
    // The date stays on one line in the narrowest column, next to the longer English mark.
    await page.evaluate(() => localStorage.setItem('language', 'en'))
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.reload()
    const panel = page.getByRole('region', { name: 'Notice search' })
    await expect(panel).toContainText('Must-read')
    expect((await box(panel.locator('time').first())).height).toBeLessThan(30)
  })

  test('shows HR the compact user search without ID and registration date (rules/users#compact-search)', async ({
    as,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('hr')
    await page.goto('/main')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await expect(page.getByRole('img', { name: '사옥 그림' })).toHaveCount(0)
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'No.',
      '사용자명',
      '소속',
      '전화번호',
      '승인 상태',
    ])
    await expect(page.getByRole('rowheader')).toHaveCount(5)
    await expectAccessibleInEveryLook(page)
  })

  test("is restored with filters and page by 'back' from a user (rules/users#back)", async ({
    as,
    server,
  }) => {
    for (let count = 1; count <= 6; count += 1) await server.createUser({ name: `홈에서찾기${count}` })
    const { page } = await as('hr')
    await page.goto('/main')
    await page.getByLabel('이름').fill('홈에서찾기')
    await page.getByLabel('이름').press('Enter')
    await expect(page.getByText('총 6명')).toBeVisible()
    await page.getByRole('button', { name: '다음 페이지' }).click()
    await page.getByRole('link', { name: '홈에서찾기1 수정' }).click()
    await expect(page).toHaveURL('/user/detail')
    await page.getByRole('button', { name: '뒤로', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: '뒤로' })
    await expect(question).toContainText('뒤로 가시겠습니까?')
    await question.getByRole('button', { name: '네' }).click()
    await expect(page).toHaveURL('/main')
    await expect(page.getByText('총 6명')).toBeVisible()
    await expect(page.getByLabel('이름')).toHaveValue('홈에서찾기')
    await expect(page.getByRole('button', { name: '2페이지', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expect(page.getByRole('link', { name: '홈에서찾기1 수정' })).toBeVisible()
  })
})
