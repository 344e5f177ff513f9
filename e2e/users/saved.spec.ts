import { deleteAddedAffiliations } from '../affiliations/steps.ts'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { choose, filters, rows, select } from './steps.ts'

test.afterEach(({ server }) => deleteAddedAffiliations(server))

test('saves, applies, renames and deletes a search and reports its missing values (rules/users#saved-searches, rules/frame#toasts)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page } = await as('hr')
  await server.pool.query(
    `insert into codes (group_code, code, name_ko, name_en, sort_order)
     values ('COMBEL001', 'BEL910', '닫힐지사', 'Closing', 910)`,
  )
  await server.createUser({ name: '저장된검색이1', affiliation: 'BEL910' })
  await server.createUser({ name: '저장된검색이2', affiliation: 'BEL910' })
  await page.goto('/user/search')
  await choose(filters(page), '소속', '닫힐지사')
  await filters(page).getByLabel('통합검색').fill('저장된검색이')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveText(['저장된검색이2', '저장된검색이1'])
  await page.getByRole('button', { name: /^사용자명/ }).click()
  await expect(rows(page)).toHaveText(['저장된검색이1', '저장된검색이2'])

  const trigger = page.getByRole('button', { name: '저장된 검색', exact: true })
  const menu = page.getByRole('dialog', { name: '저장된 검색' })
  await trigger.focus()
  await page.keyboard.press('Enter')
  await expect(menu).toContainText('저장된 검색이 없습니다.')
  await menu.getByRole('button', { name: '지금 조건 저장' }).click()
  const form = page.getByRole('dialog', { name: '검색 조건 저장' })
  await expect(form.getByLabel('이름')).toBeFocused()
  await page.keyboard.type('지사 점검')
  await page.keyboard.press('Enter')
  await closeToast(page, '‘지사 점검’ 검색 조건을 저장했습니다.')
  await expect(trigger).toBeFocused()

  // A habit does not keep a closed affiliation selectable.
  await server.pool.query(`update codes set closed_at = now() where code = 'BEL910'`)
  await page.goto('/user/search')
  await trigger.click()
  await expect(menu).toContainText('종료되었거나 없는 값: 소속 닫힐지사')
  await expectAccessible(page)
  await menu.getByRole('button', { name: /^지사 점검 종료/ }).click()
  await expect(page.getByRole('alertdialog')).toContainText('소속 닫힐지사 이 조건도 그대로 적용했습니다.')
  await answer(page, '종료되었거나 없는 조건', '확인')
  await expect(rows(page)).toHaveText(['저장된검색이1', '저장된검색이2'])
  await expect(select(filters(page), '소속')).toContainText('닫힐지사 (종료)')
  await expect(page).toHaveURL(/sort=name/)

  // Applied again, it takes the place of what was typed since.
  await filters(page).getByLabel('통합검색').fill('다른 사람')
  await trigger.click()
  await menu.getByRole('button', { name: /^지사 점검 종료/ }).click()
  await answer(page, '종료되었거나 없는 조건', '확인')
  await expect(filters(page).getByLabel('통합검색')).toHaveValue('저장된검색이')

  await trigger.click()
  await menu.getByRole('button', { name: '지사 점검 이름 변경' }).click()
  const rename = page.getByRole('dialog', { name: '이름 변경' })
  await rename.getByLabel('이름').fill('닫힌 지사')
  await rename.getByRole('button', { name: '저장' }).click()
  await menu.getByRole('button', { name: '닫힌 지사 삭제' }).click()
  const toast = page.getByRole('region', { name: '알려드립니다' })
  await expect(toast).toContainText('닫힌 지사')
  await expect(menu).toContainText('저장된 검색이 없습니다.')
  await page.keyboard.press('Escape')
  await expect(trigger).toBeFocused()
  // Taken back, by keyboard.
  await page.keyboard.press('F8')
  await expect(toast.getByRole('button', { name: '되돌리기' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(trigger).toBeFocused()
  await expect(toast).toBeHidden()
  await trigger.click()
  await expect(menu).toContainText('닫힌 지사')
})
