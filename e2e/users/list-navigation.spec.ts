import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose, filters, pageButton, rows, submit, userRow } from './steps.ts'

test('keeps the page size, jumps to a page, opens rows in new tabs and resets (rules/lists#page-size, rules/lists#page-jump, rules/lists#row-links, rules/lists#reset, rules/users#search-field)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('admin')
  for (let count = 1; count <= 52; count += 1) {
    await server.createUser({ loginId: `many.${count}`, name: `여럿${count}` })
  }
  await page.goto('/user/search')
  const box = filters(page).getByLabel('통합검색')
  await box.fill('MANY.')
  await submit(page).click()
  await expect(page.getByText('총 52명', { exact: true })).toBeVisible()
  await page.getByLabel('이동할 페이지').fill('7')
  await page.keyboard.press('Enter')
  await expect(pageButton(page, 7)).toHaveAttribute('aria-current', 'page')
  await expect(rows(page).first()).toHaveText('여럿22')
  // The first row stays in sight: page 2 of 20.
  const sizes = page.getByRole('group', { name: '한 페이지에 표시할 개수' })
  const size = (count: number) => sizes.getByRole('button', { name: `${count}개씩`, exact: true })
  await size(20).press('Enter')
  await expect(pageButton(page, 2)).toHaveAttribute('aria-current', 'page')
  await expect(rows(page)).toHaveCount(20)
  await expect(page).toHaveURL(/perPage=20/)
  await expect(page.getByLabel('이동할 페이지')).toHaveCount(0)
  await expectAccessible(page)
  expect(await page.evaluate((id) => localStorage.getItem(`rows_/user/search_${id}`), person.userId)).toBe(
    '20',
  )
  await filters(page).getByRole('button', { name: '초기화' }).click()
  await expect(box).toHaveValue('')
  await expect(rows(page)).toHaveCount(20)
  await expect(page).toHaveURL(/\/user\/search\?perPage=20$/)
  await page.goto('/user/search')
  await expect(rows(page)).toHaveCount(20)
  await size(5).click()
  await expect(rows(page)).toHaveCount(5)

  // A new tab reads the ID from the address.
  await box.fill('여럿33')
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: '여럿33 수정' })
  await expect(link).toHaveAttribute('href', '/user/detail?userId=many.33')
  for (const click of [
    () => link.click({ modifiers: ['ControlOrMeta'] }),
    () => page.getByRole('cell', { name: 'many.33' }).click({ button: 'middle' }),
  ]) {
    const opened = page.context().waitForEvent('page')
    await click()
    const tab = await opened
    await expect(tab.getByLabel('이름', { exact: true })).toHaveValue('여럿33')
    await tab.close()
  }
  await expect(page).toHaveURL(/\/user\/search/)
  await link.press('Space')
  await expect(page).toHaveURL('/user/detail')
})

test('finds, reads and restores a user who was withdrawn with a reason (rules/users#taking-back, rules/users#withdrawn-accounts)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person: admin } = await as('admin', { name: '강관리' })
  const person = await server.createUser({ name: '떠났던이', validTo: '2090-12-31' })
  await server.pool.query(
    `update users set withdrawn_at = now(), withdrawn_by = $2, withdrawn_reason = '퇴사 예정으로 잘못 들음' where id = $1`,
    [person.id, admin.id],
  )
  await page.goto('/user/search')
  await page.getByRole('button', { name: '상세 조건' }).click()
  await choose(filters(page), '탈퇴 계정', '탈퇴 계정만')
  await filters(page).getByLabel('이름').fill('떠났던이')
  await submit(page).click()
  const row = page.getByRole('row', { name: '떠났던이' })
  await expect(row).toContainText(`강관리 (${admin.userId})`)
  await expect(row).toContainText('퇴사 예정으로 잘못 들음')
  await expectAccessible(page)
  await page.getByRole('link', { name: '떠났던이 수정' }).press('Enter')
  await expect(page).toHaveURL('/user/withdrawn')
  await expect(page.getByText('2090-12-31', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '탈퇴 취소' }).click()
  await answer(page, '탈퇴 취소', '네')
  await closeToast(page, '떠났던이 님의 탈퇴를 취소했습니다.')
  await expect(page).toHaveURL('/user/detail')
  await expect(page.getByLabel('이름', { exact: true })).toHaveValue('떠났던이')
  expect((await userRow(server, person.id)).withdrawnAt).toBeNull()
})
