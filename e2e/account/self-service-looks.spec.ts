import { certify, emailField, idField, sendCode, submit } from '../fixtures/self-service.ts'
import { koreanWords, setLook } from '../fixtures/korean-text.ts'
import { expect, test } from '../fixtures/test.ts'
import { documentWidth } from '../fixtures/width.ts'

/** Find ID and reset password as they look: to axe, at the smallest width, in English. Sign-up has its own file. */

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('rateLimits').execute()
})

for (const path of ['/find/id', '/reset/pw'] as const) {
  test(`shows ${path} accessibly, without movement and in English without Korean, empty and with a wrong code`, async ({
    page,
    expectAccessibleInEveryLook,
  }) => {
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.goto(path)
    await submit(page).click()
    await expect(page.getByText('필수 입력 항목입니다.').first()).toBeVisible()
    expect(await documentWidth(page)).toBe(1200)
    await expectAccessibleInEveryLook(page)
    await expect(page.getByText('This field is required.').first()).toBeVisible()
    await expect.poll(() => koreanWords(page)).toEqual([])

    await setLook(page, '한국어')
    if (path === '/reset/pw') await idField(page).fill('somebody')
    await emailField(page).fill('somebody@example.com')
    const heading = page.getByRole('heading', { level: 1 })
    const places = async () => [
      (await heading.boundingBox())?.y,
      (await emailField(page).boundingBox())?.y,
      await documentWidth(page),
    ]
    const before = await places()
    await certify(page)
    expect(await places()).toEqual(before)
    await sendCode(page, '12345')
    await expect(page.getByText('인증번호 6자리를 입력해주세요.')).toBeVisible()
    await expectAccessibleInEveryLook(page)
    // The server answered the first code in Korean.
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByLabel('Verification code', { exact: true })).toHaveValue('')
    await expect.poll(() => koreanWords(page)).toEqual([])
  })
}
