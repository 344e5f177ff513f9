import { answer } from '../fixtures/dialogs.ts'
import { expect, test, type WorkerMaru } from '../fixtures/test.ts'
import { choose, completeUser, filters, openUser, rows, save, select, submit } from '../users/steps.ts'

/** Takes away what a test made: other tests begin with the roles and the flat affiliations of the seed. */
async function forgetBranch({ pool }: WorkerMaru): Promise<void> {
  await pool.query(`update codes set parent_code = null where group_code = 'COMBEL001'`)
  await pool.query(
    `update users set role_code = 'AUT003' where role_code in (select code from roles where not built_in)`,
  )
  await pool.query('delete from roles where not built_in')
}

test.afterEach(({ server }) => forgetBranch(server))

test('headquarters makes a branch role and gives it, and its holder works in the branch alone (rules/roles#branch-roles)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  const head = await completeUser(server, { name: '한지사', affiliation: 'BEL002' })
  await completeUser(server, { name: '두지사', affiliation: 'BEL003' })
  await completeUser(server, { name: '네지사', affiliation: 'BEL004' })

  // The tree, by keyboard from its button on.
  await page.goto('/affiliation/manage')
  await page.getByRole('button', { name: '대전지사 상위 소속 변경' }).press('Enter')
  const parent = page.getByRole('dialog', { name: '상위 소속' })
  await choose(parent, '상위 소속', '부산지사')
  await parent.getByRole('button', { name: '저장' }).click()
  await expect(parent).toHaveCount(0)
  await expect(page.getByRole('rowheader', { name: '대전지사' }).locator('[data-depth="1"]')).toBeVisible()
  // An affiliation is not offered what is below it.
  await page.getByRole('button', { name: '부산지사 상위 소속 변경' }).click()
  await select(parent, '상위 소속').click()
  await expect(page.getByRole('option', { name: '광주지사' })).toBeVisible()
  await expect(page.getByRole('option', { name: '대전지사' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await parent.getByRole('button', { name: '취소' }).click()

  await page.goto('/role/manage')
  await page.getByRole('button', { name: '권한 그룹 추가' }).click()
  const dialog = page.getByRole('dialog', { name: '권한 그룹 추가' })
  await dialog.getByLabel('한글 이름').fill('지사 관리')
  await dialog.getByLabel('영문 이름').fill('Branch desk')
  await choose(dialog, '템플릿', '지사 담당자')
  await expect(select(dialog, '범위')).toContainText('소속과 하위 소속')
  await dialog.getByRole('button', { name: '저장' }).click()
  await expect(page.getByRole('rowheader', { name: /지사 관리.*소속과 하위 소속/ })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: '지사 관리: 사용자 관리' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: '지사 관리: 설정 관리' })).toBeDisabled()
  await expectAccessibleInEveryLook(page)

  await page.evaluate(() => localStorage.setItem('language', 'ko'))
  await openUser(page, '한지사')
  await choose(page, '권한', '지사 관리')
  await save(page)
  await answer(page, '수정이 완료되었습니다.', '확인')

  const { page: branch } = await as('user', { affiliation: 'BEL002', name: '지사장' })
  await server.pool.query(
    `update users set role_code = (select code from roles where group_name = '지사 관리') where name = '지사장'`,
  )
  await branch.goto('/user/search')
  await filters(branch).getByLabel('이름').fill('지사')
  await submit(branch).click()
  await expect(rows(branch)).toHaveText([/지사장/, /두지사/, /한지사/])
  await select(branch, '소속').click()
  await expect(branch.getByRole('option')).toHaveText(['전체', '부산지사', '대전지사'])
  await branch.keyboard.press('Escape')

  // The company moves somebody out: the next search does not find them.
  await server.pool.query(`update users set affiliation_code = 'BEL004', partner_id = null where id = $1`, [
    head.id,
  ])
  await submit(branch).click()
  await expect(rows(branch)).toHaveText([/지사장/, /두지사/])

  // A new user belongs to the branch.
  await branch.goto('/user/insert')
  await select(branch, '소속').click()
  await expect(branch.getByRole('option')).toHaveText(['부산지사', '대전지사'])
})
