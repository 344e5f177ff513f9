import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, type WorkerMaru } from '../fixtures/test.ts'

interface NewNotice {
  title: string
  author: { id: string }
  memo?: string
  memoFormat?: 'plain' | 'markdown'
  mustRead?: boolean
  /** How long ago it was published, as PostgreSQL says it. */
  ago?: string
}

/** Writes a notice straight into the database. */
export async function writeNotice(server: WorkerMaru, notice: NewNotice): Promise<string> {
  const { rows } = await server.pool.query<{ id: string }>(
    `insert into notices (bullet_code, title, memo, author_id, must_read, published_at, memo_format)
     values ('BE0001', $1, $2, $3, $4, now() - $5::interval, $6) returning id`,
    [
      notice.title,
      notice.memo ?? '본문',
      notice.author.id,
      notice.mustRead ?? false,
      notice.ago ?? '1 minute',
      notice.memoFormat ?? 'plain',
    ],
  )
  return rows[0]!.id
}

export const searchBox = (page: Page) => page.getByRole('search', { name: '검색 조건' })
export const rows = (page: Page) => page.getByRole('table', { name: '공지사항 목록' }).getByRole('rowheader')
export const memo = (page: Page) => page.getByRole('region', { name: '내용', exact: true })
export const titleField = (page: Page) => page.getByLabel('제목', { exact: true })
export const saveButton = (page: Page) => page.getByRole('button', { name: '저장', exact: true })
export const chip = (page: Page, name: string) =>
  page.getByRole('button', { name: /첨부 취소$/ }).and(page.getByTitle(name, { exact: true }))

/** Picks an option of a drop-down list. */
export async function choose(page: Page, scope: Page | Locator, label: string, option: string) {
  const select = scope.getByRole('button', { name: new RegExp(` ${label}$`) })
  await select.click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await expect(select).toContainText(option)
}

export const field = (page: Page) => page.getByRole('group', { name: '첨부파일' })

/** Waits until the picked file is on the server. */
export const waitUntilSent = (page: Page) =>
  expect(field(page).getByText('업로드가 끝났습니다.')).toBeVisible()

/** '+ 내 PC', and waits until the file is sent. */
export async function attach(page: Page, name: string, content: string): Promise<void> {
  await page
    .locator('fieldset input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
  await expect(chip(page, name)).toBeVisible()
  await waitUntilSent(page)
}

/** Drops files onto a part of the page, as a person drags them there. */
export async function drop(
  page: Page,
  onto: string,
  files: { name: string; content: string }[],
): Promise<void> {
  const dataTransfer = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer()
    for (const { name, content } of given) transfer.items.add(new File([content], name))
    return transfer
  }, files)
  for (const type of ['dragover', 'drop']) await page.locator(onto).dispatchEvent(type, { dataTransfer })
}

/** Gives a notice a file in the database, without its bytes. */
export async function attachFile({ db }: WorkerMaru, noticeId: string, originalName: string): Promise<void> {
  await db
    .insertInto('noticeFiles')
    .values({
      id: randomUUID(),
      noticeId,
      savePath: '2026/11',
      saveFileName: randomUUID(),
      originalName,
      sizeBytes: '1',
    })
    .execute()
}

/** The files that the database has of a notice. */
export async function filesOf(server: WorkerMaru, noticeId: string): Promise<string[]> {
  const found = await server.db
    .selectFrom('noticeFiles')
    .select('originalName')
    .where('noticeId', '=', noticeId)
    .execute()
  return found.map((file) => file.originalName)
}

/** The number of the notice that the address names. */
export const noticeIdOf = (page: Page) => new URL(page.url()).searchParams.get('noticeId') ?? ''

/** Opens the form of a new notice, to write its Markdown source instead of using the editor. */
export async function openSource(page: Page): Promise<void> {
  await page.goto('/notice/insert')
  await page.getByRole('checkbox', { name: 'Markdown으로 쓰기' }).check()
}
