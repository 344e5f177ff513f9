import { certify, emailField, idField, sendCode, submit } from '../fixtures/self-service.ts'
import { expect, test } from '../fixtures/test.ts'

/** Find ID and reset password as they look: to axe, at the smallest width, in English. Sign-up has its own file. */

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('rateLimits').execute()
})

for (const path of ['/find/id', '/reset/pw'] as const) {
  test(`passes axe on ${path} in each language and theme, empty and with a wrong code`, async ({
    page,
    expectAccessibleInEveryLook,
  }) => {
    await page.goto(path)
    await submit(page).click()
    await expect(page.getByText('필수 입력 항목입니다.').first()).toBeVisible()
    await expectAccessibleInEveryLook(page)

    await page.getByText('한국어', { exact: true }).click()
    if (path === '/reset/pw') await idField(page).fill('somebody')
    await emailField(page).fill('somebody@example.com')
    await certify(page)
    await sendCode(page, '12345')
    await expect(page.getByText('인증번호 6자리를 입력해주세요.')).toBeVisible()
    await expectAccessibleInEveryLook(page)
  })
}

for (const path of ['/find/id', '/reset/pw', '/signup'] as const) {
  test(`fits ${path} into 1200 px without movement while a code is sent`, async ({ page }) => {
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.goto(path)
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await overflow()).toBe(0)
    if (path === '/signup') return
    if (path === '/reset/pw') await idField(page).fill('somebody')
    await emailField(page).fill('somebody@example.com')
    const heading = page.getByRole('heading', { level: 1 })
    const before = [await heading.boundingBox(), await emailField(page).boundingBox()]
    await certify(page)
    const after = [await heading.boundingBox(), await emailField(page).boundingBox()]
    expect(after.map((box) => box?.y)).toEqual(before.map((box) => box?.y))
    expect(await overflow()).toBe(0)
  })

  test(`shows no Korean word on ${path} in English`, async ({ page }) => {
    await page.goto(path)
    await page.getByText('English', { exact: true }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await submit(page).click()
    await expect(page.getByText('This field is required.').first()).toBeVisible()
    // The company's own logo text is in whatever language it is.
    const korean = async () =>
      (await page.locator('#content').innerText()).replace('마루', '').match(/[ㄱ-ㅎㅏ-ㅣ가-힣]+/g) ?? []
    expect(await korean()).toEqual([])
    if (path === '/signup') {
      // The catalogue's own word, with a capital that only the style adds.
      expect(await submit(page).textContent()).toBe('certify')
      return
    }
    if (path === '/reset/pw') await page.getByLabel('ID', { exact: true }).fill('somebody')
    await page.getByLabel('E-mail', { exact: true }).fill('somebody@example.com')
    await submit(page).click()
    await expect(page.getByLabel('Verification code', { exact: true })).toBeFocused()
    expect(await korean()).toEqual([])
  })
}
