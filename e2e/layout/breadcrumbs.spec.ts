import type { Page } from '@playwright/test'
import { expect, waitUntilSettled, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'

const crumbs = (page: Page) => page.getByRole('navigation', { name: '현재 위치' })

test('names the user of a record in the title and links back to its unchanged list (rules/frame#titles, rules/frame#breadcrumbs)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('admin')
  const { userId } = await server.createUser({ name: '도라지' })
  await server.createPartner({ code: 'CRUMBS-1' })
  await server.db
    .insertInto('notices')
    .values({ bulletCode: 'BE0001', title: '부스러기 안내', memo: null, authorId: person.id })
    .execute()

  await page.goto(`/user/search?keyword=${userId}`)
  await page
    .getByRole('table')
    .getByRole('link', { name: /도라지/ })
    .click()
  await expect(page).toHaveTitle('도라지 · 사용자 수정 | 마루')
  await expect(page.getByRole('heading', { level: 1, name: '사용자 수정' })).toBeVisible()
  await expect(crumbs(page).locator('[aria-current]')).toHaveText('도라지')
  await waitUntilSettled(page)
  await expectAccessible(page)
  await setLook(page, 'English')
  await expect(page).toHaveTitle('도라지 · Edit user | Maru')
  await setLook(page, '한국어')
  await crumbs(page).getByRole('link', { name: '사용자 조회' }).click()
  await expect(page).toHaveURL(`/user/search?keyword=${userId}`)
  await expect(page).toHaveTitle('사용자 조회 | 마루')

  // On a phone, too, they are below the header.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/partner/detail?partnerCode=CRUMBS-1')
  await expect(crumbs(page).locator('[aria-current]')).toHaveText('CRUMBS-1')
  const header = await page.getByRole('banner').boundingBox()
  expect((await crumbs(page).boundingBox())?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0))
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto('/notice/search?searchText=부스러기')
  await page.getByRole('link', { name: '부스러기 안내' }).click()
  await expect(page).toHaveTitle('부스러기 안내 · 공지사항 상세 | 마루')
  await page.getByRole('link', { name: '수정', exact: true }).click()
  await expect(page).toHaveTitle(/^부스러기 안내 · /)
  await crumbs(page).getByRole('link', { name: '공지사항 조회' }).click()
  await expect(page).toHaveURL(/searchText=%EB%B6%80/)

  await page.goto('/partner/search?partnerCode=CRUMBS')
  await page.getByRole('link', { name: /CRUMBS-1/ }).click()
  await expect(page).toHaveTitle('CRUMBS-1 · 파트너 코드 상세 | 마루')
  await crumbs(page).getByRole('link').click()
  await expect(page).toHaveURL('/partner/search?partnerCode=CRUMBS')
})
