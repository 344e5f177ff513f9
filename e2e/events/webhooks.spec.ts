import { answer } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'

test('registers a webhook, shows its deliveries and deletes it (rules/events#webhooks, rules/events#deliveries)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  await server.db.deleteFrom('webhooks').execute()
  const { page } = await as('admin')
  await page.goto('/integration/webhooks')
  await expect(page).toHaveTitle('웹훅 | 마루')
  await page.getByRole('button', { name: '웹훅 등록', exact: true }).press('Enter')
  const form = page.getByRole('dialog', { name: '웹훅 등록', exact: true })
  await form.getByRole('textbox', { name: '이름' }).fill('인사 시스템')
  const url = form.getByRole('textbox', { name: '주소' })
  await url.fill('https://127.0.0.1/hook')
  await url.press('Enter')
  // Requests to this machine are refused (rules/running#outbound-requests).
  await answer(page, /이 주소로는/, '확인')
  await expect(url).toHaveAccessibleDescription(/이 주소로는/)
  await expect(url).toBeFocused()
  await expectAccessible(page)
  await url.fill('https://receiver.invalid/hook')
  await url.press('Enter')
  const once = page.getByRole('dialog', { name: '웹훅 비밀값', exact: true })
  await expect(once.getByRole('textbox')).toHaveValue(/^whsec_/)
  await once.getByRole('button', { name: '닫기', exact: true }).last().click()
  await answer(page, '저장하지 않은 내용', '네')

  // The registration is an event itself, whose receiver does not exist.
  const row = page.getByRole('row', { name: /인사 시스템/ })
  await row.getByRole('button', { name: '인사 시스템 발송 기록', exact: true }).click()
  const deliveries = page.getByRole('dialog', { name: '인사 시스템 발송 기록', exact: true })
  await expect
    .poll(
      async () => (await server.db.selectFrom('eventDeliveries').select('attempts').execute())[0]?.attempts,
    )
    .toBeGreaterThan(0)
  await deliveries.getByRole('button', { name: '닫기', exact: true }).last().click()
  await row.getByRole('button', { name: '인사 시스템 발송 기록', exact: true }).click()
  await expect(deliveries.getByRole('row', { name: /UNREACHABLE/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(deliveries).toHaveCount(0)

  await page.reload()
  await expect(row).toContainText('실패')
  await expectAccessibleInEveryLook(page)
  // The screen is in English now.
  await row.getByRole('button', { name: 'Delete 인사 시스템', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page.getByText('There are no webhooks.')).toBeVisible()
  expect(await server.db.selectFrom('eventDeliveries').selectAll().execute()).toEqual([])
})
