import { answer, closeToast } from '../fixtures/dialogs.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { expect, test, type WorkerMaru } from '../fixtures/test.ts'
import { documentWidth } from '../fixtures/width.ts'
import type { Page } from '@playwright/test'

const WIDTHS = [390, 768, 1280, 1920]

/** Writes accesses of a user to the data of others into a past month. */
async function fill({ pool }: WorkerMaru, by: { id: string }, of: readonly { id: string }[]): Promise<void> {
  await pool.query(`select access_log_open('2025-08-01')`)
  await pool.query(
    `insert into access_log select '2025-08-01', 1 + coalesce(max(position), 0), timestamptz '2025-08-04 10:00+09', 'read',
       '/stm/v1/user', $1::bigint, '', '203.0.113.77', 'r', '', '', $2::bigint[], '{}', '' from access_log where month = '2025-08-01'`,
    [by.id, of.map(({ id }) => id)],
  )
}

/** Records an incident on the page of the list. Leaves its own page open. */
async function record(page: Page, title: string, knownAt: string): Promise<void> {
  await page.goto('/access/leaks')
  await page.getByRole('button', { name: '유출 사고 등록' }).click()
  const dialog = page.getByRole('dialog', { name: '유출 사고 등록' })
  await dialog.getByRole('textbox', { name: '사고 이름' }).fill(title)
  await dialog.getByRole('textbox', { name: '알게 된 일시' }).fill(knownAt)
  await dialog.getByRole('button', { name: '유출 사고 등록' }).click()
  await closeToast(page, '유출 사고를 등록했습니다.')
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

test.describe('a leak incident', () => {
  test('finds the people of an account, with drafts, steps and export (rules/audit#leak-search, rules/audit#leak-people)', async ({
    as,
    server,
    expectAccessible,
    expectAccessibleInEveryLook,
  }) => {
    const doer = await server.createUser({ name: '훔친계정' })
    const people = await Promise.all(['하나유출', '두리유출'].map((name) => server.createUser({ name })))
    await fill(server, doer, people)
    const { page } = await as('admin', { name: '유출담당' })
    await record(page, '계정 도용', '2026-01-05 09:00')
    const overview = page.getByRole('region', { name: '사고 개요' })
    await expect(overview).toContainText(/기한이 [\d]+시간 [\d]+분 지남/)

    await page.getByRole('button', { name: '사람 찾기' }).click()
    const dialog = page.getByRole('dialog', { name: '사람 찾기' })
    await dialog.getByRole('textbox', { name: '아이디' }).fill('nobody.here')
    await dialog.getByRole('textbox', { name: '시작 일시' }).fill('2025-08-01 00:00')
    await dialog.getByRole('textbox', { name: '종료 일시' }).fill('2025-08-31 00:00')
    await dialog.getByRole('button', { name: '사람 찾기' }).click()
    await page.getByRole('alertdialog').getByRole('button').click()
    await expect(dialog).toContainText('검색할 대상을 찾을 수 없습니다.')
    await dialog.getByRole('textbox', { name: '아이디' }).fill(doer.userId)
    await dialog.getByRole('button', { name: '사람 찾기' }).click()
    await closeToast(page, '접속기록 1건에서 2명을 찾았습니다.')
    await expect(page.getByRole('table', { name: '검색 목록' })).toContainText(
      `계정 ${doer.userId} (훔친계정)`,
    )
    await expect(overview).toContainText('2명 (탈퇴 0명, 파기·삭제 0명 포함)')

    await page.getByRole('button', { name: '사람 목록 보기' }).click()
    const list = page.getByRole('table', { name: '접속기록에서 찾은 사람 목록' })
    await expect(list.getByRole('row', { name: '하나유출' })).toContainText('사용자 정보 조회')
    await expect(page.getByRole('button', { name: '내보내기' })).toBeEnabled()
    await expectAccessibleInEveryLook(page)
    await setLook(page, '한국어')
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => documentWidth(page)).toBeLessThanOrEqual(width)
    }

    await page.getByRole('button', { name: '기록 추가' }).click()
    const adding = page.getByRole('dialog', { name: '기록 추가' })
    await adding.getByRole('button', { name: '저장' }).click()
    await expect(adding.getByRole('textbox', { name: '통지 방법' })).toBeFocused()
    await adding.getByRole('textbox', { name: '통지 방법' }).fill('이메일')
    await adding.getByRole('textbox', { name: '통지한 사람 수' }).fill('2')
    await expectAccessible(page)
    await adding.getByRole('button', { name: '저장' }).click()
    await closeToast(page, '저장했습니다.')
    const records = page.getByRole('table', { name: '경과 기록 목록' })
    await expect(records.getByRole('row', { name: '정보주체 통지' })).toContainText('이메일 · 2명')
    await expect(records).toContainText('유출담당')
    await page.goto('/access/leaks')
    await expect(page.getByRole('row', { name: '계정 도용' })).toContainText('통지함')
  })

  test('fills, keeps and prints a draft, by keyboard (rules/audit#leak-drafts)', async ({
    as,
    expectAccessible,
  }) => {
    const { page } = await as('admin')
    await record(page, '분실한 노트북', '2026-01-05 09:00')
    const card = page.getByRole('region', { name: '통지문 초안' })
    await card.getByRole('button').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: '통지문 초안' })
    const text = dialog.getByRole('textbox', { name: '통지문 초안' })
    await expect(text).toHaveValue(
      /개인정보 유출 등의 가능성 안내[\s\S]*2026-01-05 09:00:00[\s\S]*근거: 개인정보 보호법/,
    )
    await text.fill('고친 통지문')
    await dialog.getByRole('button', { name: '기록으로 채우기' }).click()
    await answer(page, '기록으로 채우기', '아니오')
    await expect(text).toHaveValue('고친 통지문')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: '저장' }).click()
    await closeToast(page, '저장했습니다.')
    await expect(card).toContainText('고친 통지문')
    const download = page.waitForEvent('download')
    await card.getByRole('button', { name: '내려받기' }).click()
    expect((await download).suggestedFilename()).toMatch(/^통지문 초안 \d+\.md$/)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('article')).toHaveText('고친 통지문')
    await expect(card).toBeHidden()
  })
})
