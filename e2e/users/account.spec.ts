import { answer } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose, openUser, userRow } from './steps.ts'

test.describe('the card of an account (rules/users#account-card)', () => {
  test('suspends it with a reason, shows that, and lifts it', async ({ as, server, expectAccessible }) => {
    const { page } = await as('hr')
    const person = await server.createUser({ name: '쉬는이' })
    await openUser(page, '쉬는이')
    await page.getByLabel('직급').fill('쓰던 중')
    await page.getByRole('button', { name: '사용 정지' }).click()
    const dialog = page.getByRole('dialog', { name: '사용 정지' })
    await choose(dialog, '정지 사유', '기타')
    await dialog.getByRole('button', { name: '정지', exact: true }).click()
    await expect(dialog.getByLabel('상세 사유')).toHaveAccessibleDescription('필수 입력 항목입니다.')
    await expectAccessible(page)
    await dialog.getByLabel('상세 사유').fill('파견 근무')
    await page.keyboard.press('Enter')
    await answer(page, '쉬는이 님의 계정을 정지했습니다.', '확인')
    await expect(page.getByText(/부터, 기타$/)).toBeVisible()
    await expect(page.getByText('파견 근무')).toBeVisible()
    await expectAccessible(page)
    expect(await userRow(server, person.id)).toMatchObject({ suspended_for: 'OTHER', position: '대리' })
    // What was being typed in the form stays.
    await expect(page.getByLabel('직급')).toHaveValue('쓰던 중')

    await page.getByRole('button', { name: '정지 해제' }).click()
    await page.getByRole('dialog', { name: '정지 해제' }).getByRole('button', { name: '해제' }).click()
    await answer(page, '쉬는이 님의 정지를 해제했습니다.', '확인')
    await expect(page.getByText('사용 중', { exact: true })).toBeVisible()
    expect((await userRow(server, person.id)).suspended_at).toBeNull()
  })
})
