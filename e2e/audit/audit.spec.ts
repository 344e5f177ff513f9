import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { choose, search, userRow } from '../users/steps.ts'

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

test('undoes a bulk change from its row, but for a user changed since (rules/users#undo-a-bulk-change)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('admin')
  const [one, two, changed] = [
    await server.createUser({ name: '되돌릴이1', validTo: '2087-03-31' }),
    await server.createUser({ name: '되돌릴이2', validTo: '2087-06-30' }),
    await server.createUser({ name: '되돌릴이3', validTo: '2087-03-31' }),
  ]
  await page.goto('/user/search')
  await search(page, '되돌릴이', 3)
  await page.getByRole('checkbox', { name: '이 페이지 모두 선택' }).check()
  await page.getByRole('button', { name: '유효기간 연장' }).click()
  await page.getByRole('dialog').getByLabel('유효기간 종료일').first().fill('2089-12-31')
  await page.getByRole('button', { name: '확인하기' }).click()
  await page.getByRole('button', { name: '3명 연장' }).click()
  await closeToast(page, '3명의 유효기간을 연장했습니다.')
  await server.pool.query(`update users set valid_to = '2090-01-01' where id = $1`, [changed.id])

  await page.goto(`/audit/search?actor=${person.userId}`)
  await page.getByRole('button', { name: `되돌리기: ${one.userId}` }).click()
  const dialog = page.getByRole('dialog', { name: '되돌리기' })
  await expect(dialog.getByText('2명의 값을 일괄 변경 전으로 되돌립니다.')).toBeVisible()
  await expect(dialog.getByText('2089-12-31 → 2087-06-30')).toBeVisible()
  await expect(dialog.getByText('1명은 제외합니다. 그사이 바뀐 계정 1명')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '2명 되돌리기' }).click()
  await closeToast(page, '2명의 값을 되돌렸습니다.')
  await expect(page.getByText('되돌린 일괄 변경').first()).toBeVisible()
  const ends = await Promise.all(
    [one, two, changed].map(async ({ id }) => (await userRow(server, id)).validTo),
  )
  expect(ends).toEqual(['2087-03-31', '2087-06-30', '2090-01-01'])
})
