import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

const rule = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })
const COMMON = '흔히 쓰는 비밀번호가 아님'
const PERSONAL = '아이디, 전화번호, 이메일을 포함하지 않음'

test('reports common passwords while typing, even Korean ones typed as Latin letters (rules/account#password-rules)', async ({
  as,
}) => {
  const { page } = await as('user', { temporary: true })
  await page.goto('/password')
  // The page does not know whose phone number and e-mail it must not hold: the server does.
  await expect(rule(page, COMMON)).toContainText('(변경할 때 확인합니다)')
  await expect(rule(page, PERSONAL)).toContainText('(변경할 때 확인합니다)')

  const field = page.getByLabel('새 비밀번호', { exact: true })
  for (const common of ['password123!', 'qlalfqjsgh1!', '비밀번호12!']) {
    await field.fill(common)
    await expect(rule(page, COMMON), common).toContainText('(미충족)')
  }

  await field.fill('좋은-언덕-2026'.normalize('NFC'))
  await page.getByLabel('새 비밀번호 확인', { exact: true }).fill('좋은-언덕-2026'.normalize('NFD'))
  await expect(rule(page, COMMON)).toContainText('(충족)')
  await expect(rule(page, '새 비밀번호와 확인이 일치')).toContainText('(충족)')
})

test('reports the user’s ID, phone number or email in the password while typing (rules/account#password-rules)', async ({
  page,
}) => {
  await page.goto('/signup')
  const password = page.locator('input[name=password]')
  await page.locator('input[name=userId]').fill('saebom.kim')
  await page.locator('input[name=phoneNumber]').fill('01012345678')
  await page.locator('input[name=email]').fill('mountain@maru.example')
  for (const personal of ['saebom.kim-2026', 'green-12345678', 'my-Mountain-1']) {
    await password.fill(personal)
    await expect(rule(page, PERSONAL), personal).toContainText('(미충족)')
  }
  await password.fill('Green-hill-2026')
  await expect(rule(page, PERSONAL)).toContainText('(충족)')
})
