import { expect, test } from '../fixtures/test.ts'

test('shows the state and remedy of every part, and recovers (rules/settings#system)', async ({
  as,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  let fails = true
  await page.route('**/set/v1/get/system', async (route) => {
    if (fails) await route.fulfill({ status: 500, json: { msg: '', code: 'UNEXPECTED' } })
    else await route.continue()
  })
  await page.goto('/main')
  await page.getByRole('button', { name: '설정', exact: true }).press('Enter')
  await page.getByRole('link', { name: '시스템', exact: true }).press('Enter')
  await expect(page).toHaveURL('/setting/system')
  const failed = page.getByRole('alert').filter({ hasText: '시스템 상태를 불러오지 못했습니다.' })
  await expect(failed).toBeVisible()
  fails = false
  await failed.getByRole('button').press('Enter')

  const database = page.getByRole('region', { name: '데이터베이스' })
  await expect(async () => {
    // A month that another test made up and removed is reported for up to a second more.
    await page.reload()
    await expect(database).toContainText('정상', { timeout: 5_000 })
  }).toPass()
  await expect(database).toContainText('PostgreSQL')
  const mail = page.getByRole('region', { name: '메일' })
  await expect(mail).toContainText('확인 필요')
  await expect(mail).toContainText('SMTP_URL')
  await expect(page.getByRole('region', { name: '백업' })).toContainText('BACKUP_DIR')
  await page.getByRole('button', { name: '새로고침' }).click()
  await expect(database).toBeVisible()
  await expectAccessibleInEveryLook(page)
})
