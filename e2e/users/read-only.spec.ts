import { expect, test } from '../fixtures/test.ts'

test('reads users without checkboxes, a form or an action (rules/users#read-only)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page, person } = await as('user', { name: '조회담당' })
  await server.pool.query(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT778', '조회 담당', 'Viewer', 778)`,
  )
  await server.pool.query(`insert into role_functions values ('AUT778', 'autho_user_search')`)
  await server.pool.query(`update users set role_code = 'AUT778' where id = $1`, [person.id])
  await server.createUser({ loginId: 'read.only', name: '하늘직원' })

  await page.goto('/user/search?name=하늘직원')
  await page.getByRole('link', { name: /하늘직원/ }).click()
  await expect(page).toHaveURL('/user/detail')
  await expect(page.getByRole('heading', { name: '사용자 정보' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByText('read.only', { exact: true })).toBeVisible()
  await expect(main.getByRole('textbox')).toHaveCount(0)
  await expect(main.getByRole('button', { name: /저장|탈퇴/ })).toHaveCount(0)
  await expectAccessibleInEveryLook(page)

  await page.goBack()
  await expect(page.getByRole('row', { name: /하늘직원/ })).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})
