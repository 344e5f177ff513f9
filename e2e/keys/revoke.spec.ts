import { closeToast } from '../fixtures/dialogs.ts'
import { controls } from '../fixtures/keyboard.ts'
import { expect, test } from '../fixtures/test.ts'
import { makeKeys } from './steps.ts'

test('finds keys by user ID and revokes those selected on two pages (rules/keys#revoke-many, rules/keys#key-filters)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { holder } = await makeKeys(server, 6, '폐기될이')
  await makeKeys(server, 2, '남을이')
  const { page } = await as('admin')
  const { button, checkbox } = controls(page)
  await page.goto('/key/search')
  await page.getByRole('search').getByLabel('요청자 아이디').fill(holder.userId.toUpperCase())
  await page.keyboard.press('Enter')
  await expect(page.getByText('총 6건')).toBeVisible()
  await checkbox('이 페이지 모두 선택').check()
  await button('다음 페이지').click()
  await checkbox('폐기될이의 키 단말기-1 선택').check()
  await expect(page.getByText('5건 선택', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await button('선택한 키 폐기').click()
  const dialog = page.getByRole('dialog', { name: '선택한 키 폐기' })
  await expect(dialog.getByRole('region', { name: '폐기할 키' }).getByRole('listitem')).toHaveCount(5)
  await expectAccessible(page)
  await button('5건 폐기').click()
  await expect(dialog.getByText('필수 입력 항목입니다.')).toBeVisible()
  await dialog.getByLabel('폐기 사유').fill('퇴사')
  await page.keyboard.press('Enter')
  await closeToast(page, '키 5건을 폐기했습니다.')
  await expect(page.getByText('건 선택', { exact: false })).toHaveCount(0)
  await expect(checkbox('폐기될이의 키 단말기-1 선택')).toBeDisabled()
  await expect(checkbox('폐기될이의 키 단말기-0 선택')).toBeEnabled()
  const { rows: revoked } = await server.pool.query(
    `select request_key from issued_keys where revoke_reason = '퇴사' order by request_key`,
  )
  expect(revoked.map(({ request_key }) => request_key)).toEqual([1, 2, 3, 4, 5].map((n) => `단말기-${n}`))
  await expectAccessibleInEveryLook(page)
})
