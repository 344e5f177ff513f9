import { passGate } from '../account/steps.ts'
import { answer } from '../fixtures/dialogs.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { expect, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { choose } from '../users/steps.ts'

test('shows who accessed a user’s data, from their page on, and opens each row (rules/audit#access-search, rules/audit#access-detail)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const seen = await server.createUser({ role: 'user', name: '접속대상' })
  const { page: hrPage, person: hr } = await as('hr', { name: '접속인사' })
  await hrPage.goto(`/user/detail?userId=${seen.userId}`)
  await expect(hrPage.getByLabel('이름', { exact: true })).toHaveValue('접속대상')
  // Without permission to read the log there is no link to it.
  await expect(hrPage.getByRole('link', { name: '이 사람의 정보를 본 기록' })).toHaveCount(0)

  const { page } = await as('admin', { name: '접속관리' })
  await page.goto(`/user/detail?userId=${seen.userId}`)
  await page.getByRole('link', { name: '이 사람의 정보를 본 기록' }).click()
  await expect(page).toHaveURL(`/access/search?subject=${seen.userId}`)
  await expect(page).toHaveTitle('접속기록 조회 | 마루')
  const search = page.getByRole('search')
  await expect(search.getByLabel('정보주체')).toHaveValue(seen.userId)
  await expect(
    page.getByRole('row', { name: '접속관리' }).filter({ hasText: '사용자 정보 조회' }),
  ).toBeVisible()
  await search.getByRole('textbox', { name: '접속자' }).fill(hr.userId)
  await choose(search, '수행업무', '사용자 정보 조회')
  await search.getByRole('button', { name: '검색', exact: true }).click()
  await expect(page.getByText('총 1건')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`actor=${hr.userId}&subject=${seen.userId}&action=getUser`))
  const row = page.getByRole('row', { name: '접속인사' })
  await expect(row).toContainText(`접속대상 (${seen.userId})`)
  await expectAccessibleInEveryLook(page)
  await expect(row).toContainText('Viewed a user')
  await setLook(page, '한국어')

  await tabTo(page, page.getByRole('link', { name: '접속기록 상세 보기' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/access\/detail\?accessId=\d{6}-\d+$/)
  await expect(page.getByRole('region', { name: '접속기록', exact: true })).toContainText('사용자 정보 조회')
  await expect(page.getByRole('region', { name: '정보주체 1명' })).toContainText('접속대상')
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  // Back to the list as it was left.
  await page
    .getByRole('navigation', { name: '현재 위치' })
    .getByRole('link', { name: '접속기록 조회' })
    .click()
  await expect(page).toHaveURL(new RegExp(`actor=${hr.userId}`))
  await expect(page.getByText('총 1건')).toBeVisible()

  // The page is hidden from other users; their attempt to read its list is in the log.
  await hrPage.goto('/access/search')
  await answer(hrPage, '권한이 없습니다.', '확인')
  await expect(hrPage).toHaveURL('/main')
})

test('shows each user, and only them, who accessed their data (rules/audit#own-access)', async ({
  as,
  expectAccessibleInEveryLook,
}) => {
  const { page, person } = await as('user', { name: '내정보본인' })
  const { page: hrPage, person: hr } = await as('hr', { name: '열람담당' })
  await page.goto('/mypage')
  await passGate(page)
  const card = page.getByRole('region', { name: '내 정보를 본 사람' })
  await card.getByRole('button', { name: '기록 보기' }).click()
  await expect(card.getByText('내 정보를 본 기록이 없습니다.')).toBeVisible()
  await card.getByRole('button', { name: '기록 접기' }).click()

  await hrPage.goto(`/user/detail?userId=${person.userId}`)
  await expect(hrPage.getByLabel('이름', { exact: true })).toHaveValue('내정보본인')
  await page.reload()
  await passGate(page)
  await tabTo(page, card.getByRole('button', { name: '기록 보기' }))
  await page.keyboard.press('Enter')
  await expect(card.getByRole('row', { name: '열람담당' }).first()).toBeVisible()
  await expect(card.getByRole('row', { name: '사용자 정보 조회' })).toContainText('열람담당')
  await expect(card.getByRole('row', { name: '사용자 정보 조회' })).toContainText(hr.userId)
  await expectAccessibleInEveryLook(page)
})
