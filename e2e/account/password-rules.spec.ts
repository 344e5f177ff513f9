import { expect, test } from '../fixtures/test.ts'

test('the rules name the common passwords, and letters that a Mac takes apart are the same letters', async ({
  as,
}) => {
  const { page } = await as('user', { temporary: true })
  await page.goto('/password')
  const rule = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await expect(rule('흔히 쓰는 비밀번호가 아님')).toContainText('(변경할 때 확인합니다)')

  await page.getByLabel('새 비밀번호', { exact: true }).fill('좋은-비밀-2026'.normalize('NFC'))
  await page.getByLabel('새 비밀번호 확인', { exact: true }).fill('좋은-비밀-2026'.normalize('NFD'))
  await expect(rule('새 비밀번호와 확인이 일치')).toContainText('(충족)')
})
