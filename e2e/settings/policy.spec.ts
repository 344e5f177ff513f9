import { expect, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'

test('shows required and current settings, links to where they change, and prints (rules/audit#policy, rules/audit#laws, rules/audit#law-notes)', async ({
  as,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  await page.goto('/setting/policy')
  await expect(page).toHaveTitle('정책 점검 | 마루')
  const table = page.getByRole('table', { name: '정책 점검 목록' })
  await expect(table.getByRole('row', { name: '로그인 실패 시 잠금' })).toContainText('5회 실패하면 15분')
  await expect(table.getByRole('row', { name: '로그인 실패 시 잠금' })).toContainText('적합')
  await expect(table.getByRole('row', { name: '접속기록 보관' })).toContainText('보안 설정')
  const register = page.getByRole('table', { name: '법령 대장 목록' })
  await expect(register.getByRole('row', { name: '내부 관리계획을 세우고' })).toContainText('포털 밖')
  await expect(register.getByRole('row', { name: '로그 검토의 주기' })).toContainText('이전 판의 본문만 확인')
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')

  const plan = register.getByRole('row', { name: '내부 관리계획을 세우고' })
  await plan.getByRole('button', { name: /회사의 근거와 비고 수정/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('회사의 근거').fill('내부 관리계획 제2026호')
  await dialog.getByRole('button', { name: '저장' }).click()
  await expect(plan).toContainText('내부 관리계획 제2026호')

  // Every column of the register is in reach on a phone (rules/frame#width).
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 800 })
  // Is a group once the widths are measured and the table scrolls in it.
  const frame = page.getByRole('group', { name: '법령 대장 목록' })
  const narrow = frame.getByRole('row', { name: '내부 관리계획을 세우고' })
  const edit = narrow.getByRole('button', { name: /회사의 근거와 비고 수정/ })
  // A click of the test would scroll until it hits any part of the button.
  await edit.evaluate((button) => button.scrollIntoView({ block: 'center', inline: 'end' }))
  const isWhole = () =>
    edit.evaluate((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect()
      return [left + 4, (left + right) / 2, right - 4].every((x) =>
        button.contains(document.elementFromPoint(x, (top + bottom) / 2)),
      )
    })
  await expect.poll(isWhole).toBe(true)
  await page.setViewportSize(size)

  await page.emulateMedia({ media: 'print' })
  const report = page.getByRole('article')
  for (const text of [
    '개인정보 보호 정책 점검표',
    '마루 버전',
    '작성일시',
    '5회 실패하면 15분',
    '안전성 확보조치 기준 제5조제6항',
    '법령 대장',
    '내부 관리계획 제2026호',
    '개인정보보호위원회고시 제2026-9호',
    '확인되지 않음',
  ])
    await expect(report).toContainText(text)
  await expect(table).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await expect(report).toBeHidden()

  await table.getByRole('row', { name: '분기별 권한 검토' }).getByRole('link').click()
  await expect(page).toHaveURL('/right/review')
})
