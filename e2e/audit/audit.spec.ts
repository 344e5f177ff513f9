import { answer } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { choose } from '../users/steps.ts'

test('shows a change in the record’s history and in the audit log, which links back (rules/audit#audit-search, rules/audit#history)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page, person } = await as('admin', { name: '기록보는이' })
  const code = await server.createPartner({ code: 'TRAIL-1' })
  await page.goto(`/partner/detail?partnerCode=${code}`)
  const history = page.getByRole('region', { name: '변경 이력' })
  await expect(history.getByText('변경 이력이 없습니다.')).toBeVisible()
  await page.getByLabel('일 최대 발급 수').fill('70')
  await page.getByRole('button', { name: '수정', exact: true }).click()
  await answer(page, '파트너 코드 정보 수정', '네')
  await answer(page, '수정이 완료되었습니다.', '확인')
  await expect(history.getByText('마지막 변경:')).toContainText(`(${person.userId}) · 파트너 코드 수정`)
  await history.getByRole('button', { name: '이력 보기' }).click()
  await expect(history.getByRole('listitem')).toHaveText(['일 최대 발급 수: 70'])

  await page.goto('/audit/search')
  await expect(page).toHaveTitle('감사 기록 조회 | 마루')
  await page.getByRole('search').getByLabel('대상').fill('trail-1')
  await choose(page.getByRole('search'), '작업', '파트너 코드 수정')
  await page.getByRole('button', { name: '검색', exact: true }).click()
  await expect(page.getByText('총 1건')).toBeVisible()
  await expect(page).toHaveURL(/target=trail-1&action=partner\.update/)
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  await page.getByRole('row', { name: code }).getByRole('button', { name: '기록보는이' }).click()
  await expect(page.getByRole('dialog', { name: '기록보는이 프로필' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: code }).click()
  await expect(page).toHaveURL(`/partner/detail?partnerCode=${code}`)

  // The page is hidden from other users, and an attempt to read its list is in the log.
  const { page: other, person: curious } = await as('user')
  await other.goto('/audit/search')
  await answer(other, '권한이 없습니다.', '확인')
  await expect(other).toHaveURL('/main')
  const headers = { SessionId: curious.session, 'Content-Type': 'application/json' }
  await other.request.post('/api/adt/v1/get/AuditList', { headers, data: {} })
  await page.goto('/audit/search')
  await choose(page.getByRole('search'), '작업', '거부 전체')
  await page.getByRole('search').getByLabel('작업자').fill(curious.userId)
  await page.getByRole('button', { name: '검색', exact: true }).click()
  await expect(page.getByRole('row', { name: '권한 없는 요청 거부' }).first()).toContainText(
    '거부한 이유: 권한이 없습니다.',
  )
})
