import { controls } from '../fixtures/keyboard.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose } from '../users/steps.ts'
import { partnerRow, rows } from './steps.ts'

const CODES = Array.from({ length: 16 }, (_, at) => `LIMITS-${at + 10}`)

test('raises the limits of 16 partners in one step despite an edit in between (rules/partners#bulk-limits, rules/lists#selection)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  for (const code of CODES) await server.createPartner({ code })
  await server.pool.query(`update partners set limit_month = 100 where code like 'LIMITS-%'`)
  await page.goto('/partner/search?partnerCode=LIMITS-')
  const { button, checkbox } = controls(page)
  await checkbox('이 페이지 모두 선택').check()
  await expect(page.getByText('6건 선택', { exact: true })).toBeVisible()
  await button('다음 페이지').click()
  await expect(rows(page).first()).toHaveText('LIMITS-19')
  await expect(page.getByText('6건 선택', { exact: true })).toBeVisible()
  await button('검색된 16건 모두 선택').click()
  await checkbox('LIMITS-19 선택').uncheck()
  await expectAccessible(page)
  await button('발급 한도 변경').click()

  const dialog = page.getByRole('dialog', { name: '발급 한도 변경' })
  await dialog.getByRole('button', { name: '확인하기' }).click()
  await expect(dialog.getByText('변경할 한도를 하나 이상 입력해주세요.')).toBeVisible()
  await expect(dialog.getByLabel('일 최대 발급 수')).toBeFocused()
  await choose(dialog, '변경 방법', '현재 값에 더하기')
  await dialog.getByLabel('월 최대 발급 수').fill('50')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('파트너 코드 15건의 발급 한도를 변경합니다.')).toBeVisible()
  await expect(dialog.getByText('월 최대 발급 수 100 → 150').first()).toBeVisible()
  await expectAccessible(page)
  // Meanwhile a colleague changes one of them.
  await server.pool.query(`update partners set limit_month = 200 where code = 'LIMITS-10'`)
  await dialog.getByRole('button', { name: '15건 변경' }).click()
  await expect(dialog.getByRole('alert')).toContainText('아무것도 처리하지 않았습니다')
  expect((await partnerRow(server, 'LIMITS-11'))?.limitMonth).toBe(100)
  await expect(dialog.getByText('월 최대 발급 수 200 → 250')).toBeVisible()
  await dialog.getByRole('button', { name: '15건 변경' }).click()
  await expect(page.getByText('파트너 코드 15건의 발급 한도를 변경했습니다.').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('건 선택', { exact: false })).toHaveCount(0)
  await expect(rows(page).first()).toBeVisible()
  await checkbox('이 페이지 모두 선택').check()
  await expectAccessibleInEveryLook(page)
  const limits = await Promise.all(CODES.map(async (code) => (await partnerRow(server, code))?.limitMonth))
  expect(limits).toEqual(CODES.map((code) => (code === 'LIMITS-10' ? 250 : code === 'LIMITS-19' ? 100 : 150)))
})
