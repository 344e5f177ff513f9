import type { Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { BULLET } from '../../contract/notices.ts'
import { newStorageKey, putFile } from '../../server/services/storage.ts'
import { openDiskStorage } from '../../server/services/storage/disk.ts'
import { documentWidth } from '../fixtures/width.ts'
import { expect, settled, test, type WorkerMaru } from '../fixtures/test.ts'

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
      bullet_code: bullet ?? BULLET.notice,
      title,
      memo: null,
      author_id: author.id,
      created_at: `${at ?? '2026-11-20 09:00:00'}+09:00`,
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
    .insertInto('notice_files')
    .values({
      id: randomUUID(),
      notice_id: noticeId,
      save_path: key.path,
      save_file_name: key.name,
      original_name: name,
      size_bytes: String(content?.length ?? 0),
    })
    .execute()
}

const notices = (page: Page) => page.getByRole('region', { name: '공지사항 조회' })

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('notices').execute()
})

test.describe('the notice panel (rules/home#notice-panel)', () => {
  test('lists the 4 newest notices, newest first, with title, file and registration time', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    for (const day of [11, 15, 13, 12, 14])
      await writeNotice(server, { title: `${day}일 공지`, author: person, at: `2026-11-${day} 08:05:09` })
    await page.goto('/main')
    await expect(notices(page).getByRole('listitem')).toHaveCount(4)
    for (const [index, day] of [15, 14, 13, 12].entries()) {
      const slot = notices(page).getByRole('listitem').nth(index)
      await expect(slot).toContainText(`${day}일 공지`)
      await expect(slot.getByRole('time')).toHaveText(`2026-11-${day} 08:05:09`)
    }
  })

  test('has 4 slots with placeholders when there are fewer, and the words in the first when there are none', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    const height = async () => (await notices(page).boundingBox())?.height
    for (const day of [11, 12, 13, 14])
      await writeNotice(server, { title: `${day}일 공지`, author: person, at: `2026-11-${day} 08:00:00` })
    await page.goto('/main')
    await expect(notices(page).getByRole('listitem')).toHaveCount(4)
    const full = await height()
    await server.db.deleteFrom('notices').where('title', '<>', '14일 공지').execute()
    await page.reload()
    await expect(notices(page).getByText('14일 공지')).toBeVisible()
    await expect(notices(page).getByRole('listitem', { includeHidden: true })).toHaveCount(4)
    await expect(notices(page).getByRole('listitem')).toHaveCount(1)
    expect(await height()).toBe(full)
    await server.db.deleteFrom('notices').execute()
    // One's own that is still to come is on the board, not here.
    await writeNotice(server, { title: '예약된 공지', author: person, at: '2099-01-01 09:00:00' })
    await page.reload()
    const slots = notices(page).getByRole('listitem', { includeHidden: true })
    await expect(slots).toHaveText(['등록된 공지사항이 없습니다.', '', '', ''])
    expect(await height()).toBe(full)
  })

  test('marks BE0001 with an exclamation mark and any other bullet with a key (rules/home#bullet-icons)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    await writeNotice(server, { title: '느낌표', author: person, bullet: BULLET.notice })
    await writeNotice(server, { title: '열쇠', author: person, bullet: BULLET.keyIssue })
    await server.db
      .insertInto('codes')
      .values({ group_code: 'BULLET', code: 'BE0003', name_ko: '기타', name_en: 'Other', sort_order: 9 })
      .execute()
    await writeNotice(server, { title: '다른 코드', author: person, bullet: 'BE0003' })
    await page.goto('/main')
    const icon = (title: string) =>
      notices(page).getByRole('listitem').filter({ hasText: title }).locator('svg').first().innerHTML()
    await expect(notices(page).getByRole('listitem')).toHaveCount(3)
    expect(await icon('열쇠')).not.toBe(await icon('느낌표'))
    expect(await icon('다른 코드')).toBe(await icon('열쇠'))
    await expect(notices(page).getByRole('listitem').filter({ hasText: '느낌표' })).toContainText('공지')
    await expect(notices(page).getByRole('listitem').filter({ hasText: '열쇠' })).toContainText('키발급')
    await server.db.deleteFrom('notices').execute()
    await server.db.deleteFrom('codes').where('code', '=', 'BE0003').execute()
  })

  test('opens the detail with noticeId and user_id from the page-change icon (rules/home#notice-link)', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    const id = await writeNotice(server, { title: '상세로 가는 공지', author: person })
    await page.goto('/main')
    await page.getByRole('link', { name: '상세로 가는 공지 상세 보기' }).click()
    await expect(page).toHaveURL(`/notice/detail?noticeId=${id}&user_id=${person.userId}`)
  })

  test('saves a file under its Korean name, byte for byte', async ({ as, server }) => {
    const { page, person } = await as('user')
    const id = await writeNotice(server, { title: '첨부가 있는 공지', author: person })
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256))
    const name = "2026년 하반기 '보안' 점검표 (최종).pdf"
    await attach(server, id, name, content)
    await page.goto('/main')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: `${name} 내려받기` }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(name)
    expect((await readFile(await download.path())).equals(content)).toBe(true)
  })

  test('says that a file is gone (rules/files#file-missing)', async ({ as, server }) => {
    const { page, person } = await as('user')
    const id = await writeNotice(server, { title: '파일을 잃은 공지', author: person })
    await attach(server, id, '잃어버린 파일.txt', null)
    await page.goto('/main')
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
    await settled(page)
    fragile.cutDatabase()
    await button.click()
    const confirm = (text: string) =>
      page.getByRole('alertdialog', { name: text }).getByRole('button', { name: '확인' }).click()
    await confirm('관리자에게 문의해주세요.')
    await fragile.mendDatabase()
    await settled(page)
    await fragile.stopServer()
    await button.click()
    await confirm('파일 다운로드에 실패했습니다.')
    await fragile.startServer()
    const downloading = page.waitForEvent('download')
    await button.click()
    expect((await downloading).suggestedFilename()).toBe('안내.txt')
  })

  test('keeps a long title on one line with its words in a tooltip', async ({ as, server }) => {
    const { page, person } = await as('user')
    const title = '아주 긴 제목의 공지사항입니다 '.repeat(12).trim()
    await writeNotice(server, { title, author: person })
    await page.goto('/main')
    await expect(page.getByTitle(title, { exact: true })).toBeVisible()
    expect(await documentWidth(page)).toBe(1440)
  })
})

test.describe('the right panel (rules/home#right-panel)', () => {
  for (const role of ['admin', 'user'] as const) {
    test(`shows ${role} the building and no user search`, async ({ as, expectAccessibleInEveryLook }) => {
      const { page } = await as(role)
      await page.goto('/main')
      await expect(page.getByRole('img', { name: '사옥 그림' })).toBeVisible()
      await expect(page.getByRole('search')).toHaveCount(0)
      await expectAccessibleInEveryLook(page)
    })
  }

  test('makes the building a banner with the greeting on it in a wide window, and moves nobody else', async ({
    as,
    expectAccessible,
  }) => {
    const { page } = await as('admin')
    const building = page.getByRole('img', { name: '사옥 그림' })
    const boxes = async () => {
      const parts = [building, page.getByRole('heading', { level: 1 }), notices(page)]
      const found = await Promise.all(parts.map((part) => part.evaluate((it) => it.getBoundingClientRect())))
      const [picture, greeting, board] = found
      if (picture === undefined || greeting === undefined || board === undefined) throw new Error('no boxes')
      return { picture, greeting, board }
    }
    await page.setViewportSize({ width: 1599, height: 900 })
    await page.goto('/main')
    await expect(building).toBeVisible()
    const beside = await boxes()
    expect(beside.picture.left).toBeGreaterThan(beside.board.right)
    expect(beside.greeting.bottom).toBeLessThan(beside.picture.top)

    await page.setViewportSize({ width: 1600, height: 900 })
    const above = await boxes()
    expect(above.picture.bottom).toBeLessThan(above.board.top)
    expect(above.greeting.top).toBeGreaterThan(above.picture.top)
    expect(above.greeting.bottom).toBeLessThan(above.picture.bottom)
    expect(await documentWidth(page)).toBe(1600)
    await expectAccessible(page)

    const hr = await as('hr')
    await hr.page.setViewportSize({ width: 1600, height: 900 })
    await hr.page.goto('/main')
    const search = await hr.page.getByRole('region', { name: '사용자 조회' }).boundingBox()
    const board = await notices(hr.page).boundingBox()
    expect(search?.y).toBe(board?.y)
  })

  test('shows an HR administrator the compact user search without ID and registration date (rules/users#compact-search)', async ({
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
