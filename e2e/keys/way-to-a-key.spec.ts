import type { Page } from '@playwright/test'
import { passGate } from '../account/steps.ts'
import { expect, test } from '../fixtures/test.ts'

async function expectTokens(page: Page): Promise<void> {
  await passGate(page)
  await expect(page.locator('#own-programs')).toBeFocused()
  await expect(page.getByText('파트너 코드가 없으면 인사 관리자에게 요청해주세요.')).toBeInViewport()
}

test('leads from an empty history, home and palette to the program tokens (rules/keys#program-tokens)', async ({
  as,
  server,
  expectAccessible,
}) => {
  await server.pool.query(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT779', '본인 키', 'Own keys', 779)`,
  )
  await server.pool.query(`insert into role_functions values ('AUT779', 'autho_key_own')`)
  const { page, person } = await as('user')
  await server.pool.query(`update users set role_code = 'AUT779' where id = $1`, [person.id])
  await page.goto('/key/search')
  await page.getByRole('link', { name: '키 발급', exact: true }).click()
  await expectTokens(page)
  await expectAccessible(page)

  await page.goto('/main')
  await page.getByRole('link', { name: '키 발급', exact: true }).click()
  await expect(page).toHaveURL('/mypage#own-programs')

  await page.goto('/main')
  await expect(page.getByRole('button', { name: '찾기', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /찾기/ }).fill('키발급')
  await expect(page.getByRole('option', { name: /^키 발급 ?내 정보/ })).toBeVisible()
  await page.getByRole('option', { name: /^키 발급 ?내 정보/ }).click()
  await expect(page).toHaveURL('/mypage#own-programs')
})
