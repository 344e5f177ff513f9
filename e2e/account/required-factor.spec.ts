import type { Page } from '@playwright/test'
import { answer, closeToast, logOut } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { logIn, passGate, setUpApp } from './steps.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test.beforeEach(async ({ server }) => {
  // Every test comes from one address, whose wrong passwords are counted together.
  await server.db.deleteFrom('rateLimits').execute()
})

test.afterEach(async ({ server }) => {
  await server.pool.query('update roles set factor_required_since = null')
  await server.pool.query('update settings set factor_grace_days = 14')
})

test('announces a required second factor until the due date, then forces the setup (rules/account#required-factor)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page: admin } = await as('admin')
  await admin.goto('/setting/security')
  const roles = admin.getByRole('group', { name: '2단계 인증이 필요한 권한' })
  const days = admin.getByRole('textbox', { name: /^2단계 인증 등록 유예 기간/ })
  await expect(days).toHaveValue('14')
  await days.fill('7')
  await roles.getByRole('checkbox', { name: '일반 사용자', exact: true }).press('Space')
  await button(admin, '저장').press('Enter')
  await closeToast(admin, '보안 설정을 저장했습니다.')
  await expect(roles.getByRole('checkbox', { name: '일반 사용자', exact: true })).toBeChecked()
  await expect(roles.getByRole('checkbox', { name: '관리자', exact: true })).not.toBeChecked()

  const { page, person } = await as('user')
  await page.goto('/main')
  const hint = page.getByText(/^\s*\d{4}-\d\d-\d\d까지 2단계 인증을 등록해야 합니다/)
  await expect(hint).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: '내 정보에서 등록', exact: true }).press('Enter')
  await expect(page).toHaveURL('/mypage')

  await server.pool.query(
    `update roles set factor_required_since = now() - interval '30 days' where code = 'AUT003'`,
  )
  await server.pool.query(`update users set duties_since = now() - interval '30 days' where id = $1`, [
    person.id,
  ])
  // A page that is open is led there by whatever it asks next; so is a login, wherever it was to lead.
  await page.goto('/notice/search')
  await expect(page).toHaveURL('/second-factor')
  await logOut(page)
  await logIn(page, person.userId, PASSWORD)
  await expect(page).toHaveURL('/second-factor')
  await page.goto('/main')
  await expect(page).toHaveURL('/second-factor')
  await expect(page.getByRole('heading', { name: '2단계 인증 등록', exact: true })).toBeVisible()
  await passGate(page)
  await expect(button(page, '계속하기')).toHaveCount(0)
  const { codes } = await setUpApp(page)
  await codes.getByRole('button', { name: '닫기', exact: true }).last().press('Enter')
  await answer(page, '저장하지 않은 내용', '네')
  await expect(codes).toHaveCount(0)
  await expect(button(page, '계속하기')).toBeVisible()
  await expectAccessible(page)
  await button(page, '계속하기').press('Enter')
  await expect(page).toHaveURL('/main')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
  await expect(hint).toHaveCount(0)
})
