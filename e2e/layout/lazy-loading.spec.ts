import { expect, test } from '../fixtures/test.ts'

test.use({ isFirstVisit: true })

const LISTS = '**/assets/select-list-*.js'

test('reports a list that cannot be loaded, and keeps a dismissed one closed (rules/frame#server-unavailable)', async ({
  page,
}) => {
  const held = Promise.withResolvers<void>()
  await page.route(LISTS, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/signup')
  const field = page.getByRole('button', { name: /소속/ })
  await field.click()
  await page.keyboard.press('Tab')
  const fetched = page.waitForResponse(LISTS)
  held.resolve()
  await (await fetched).finished()
  await expect(field).not.toBeFocused()
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await field.click()
  await expect(page.getByRole('listbox')).toBeVisible()
})

test('explains a failed list of choices and keeps the input (rules/frame#server-unavailable)', async ({
  page,
}) => {
  await page.route(LISTS, (route) => route.abort())
  await page.goto('/signup')
  await page.getByRole('textbox', { name: '이름' }).fill('김하나')
  await page.getByRole('button', { name: /소속/ }).click()
  await page
    .getByRole('alertdialog', { name: /새로고침/ })
    .getByRole('button', { name: '확인' })
    .click()
  await expect(page.getByRole('textbox', { name: '이름' })).toHaveValue('김하나')
})
