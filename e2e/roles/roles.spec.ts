import { answer } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { setLook, koreanWords } from '../fixtures/korean-text.ts'

test.describe('role management', () => {
  test('grants and revokes a permission, which changes menu and page of a working user', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('admin')
    const { page: theirs } = await as('user')
    await theirs.goto('/main')
    const partners = theirs.getByRole('button', { name: '파트너', exact: true })
    await expect(theirs.getByRole('button', { name: '공지사항', exact: true })).toBeVisible()
    await expect(partners).toHaveCount(0)

    await page.goto('/role/manage')
    const box = page.getByRole('checkbox', { name: '일반 사용자: 파트너 관리' })
    await box.click()
    await expect(page.getByRole('alertdialog')).toContainText(
      '‘일반 사용자’에 ‘파트너 관리’ 기능을 허용하시겠습니까?',
    )
    await answer(page, '기능 허용', '아니오')
    await expect(box).not.toBeChecked()
    await box.click()
    await answer(page, '기능 허용', '네')
    await expect(box).toBeChecked()

    // They come back to their tab: no click, and the menu has it.
    await theirs.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(partners).toBeVisible()
    await theirs.goto('/partner/search')
    await expect(theirs.getByRole('table', { name: '파트너 코드 목록' })).toBeVisible()

    await box.click()
    await answer(page, '기능 해제', '네')
    await expect(box).not.toBeChecked()
    await theirs.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(partners).toHaveCount(0)

    await page.getByRole('button', { name: '이력 보기' }).click()
    const record = page.getByRole('table', { name: '변경 이력' }).getByRole('row')
    await expect(record.nth(1)).toContainText(/기능 해제.*일반 사용자.*파트너 관리: 허용 → 허용 안 함/)
    await expect(record.nth(2)).toContainText(/기능 허용.*일반 사용자.*파트너 관리: 허용 안 함 → 허용/)
    const { rows } = await server.pool.query(
      `select 1 from audit_log where action = 'role.grant' and actor_id = $1`,
      [person.id],
    )
    expect(rows).toHaveLength(1)
  })

  test('adds, renames and removes a role, and shows a taken name at the field', async ({ as }) => {
    const { page } = await as('admin')
    await page.goto('/role/manage')
    await page.getByRole('button', { name: '권한 그룹 추가' }).click()
    const dialog = page.getByRole('dialog', { name: '권한 그룹 추가' })
    await dialog.getByRole('button', { name: '저장' }).click()
    await expect(dialog.getByLabel('한글 이름')).toHaveAccessibleDescription('필수 입력 항목입니다.')
    await dialog.getByLabel('한글 이름').fill('관리자')
    await dialog.getByLabel('영문 이름').fill('Partner desk')
    await page.keyboard.press('Enter')
    await answer(page, '이미 사용 중인 권한 그룹 이름입니다.', '확인')
    await expect(dialog.getByLabel('한글 이름')).toHaveAccessibleDescription(
      '이미 사용 중인 권한 그룹 이름입니다.',
    )
    await dialog.getByLabel('한글 이름').fill('협력사 담당')
    await dialog.getByRole('button', { name: '저장' }).click()
    await expect(page.getByRole('rowheader', { name: /^협력사 담당/ }).first()).toBeVisible()

    await page.getByRole('button', { name: '협력사 담당 이름 변경' }).click()
    const renaming = page.getByRole('dialog', { name: '권한 그룹 이름 변경' })
    await renaming.getByLabel('한글 이름').fill('협력사 지원')
    await renaming.getByRole('button', { name: '저장' }).click()
    await page.getByRole('button', { name: '협력사 지원 삭제' }).click()
    await answer(page, '권한 그룹 삭제', '네')
    await expect(page.getByRole('button', { name: '협력사 지원 삭제' })).toHaveCount(0)
    const history = page.getByRole('region', { name: '변경 이력' })
    await expect(history.getByText('마지막 변경:')).toContainText('권한 그룹 삭제')
    await history.getByRole('button', { name: '이력 보기' }).click()
    await expect(history.getByRole('row', { name: /삭제/ }).first()).toContainText('협력사 지원')
  })

  test('keeps 관리자, built-in roles and roles in use; is accessible, English and usable by keyboard', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('admin')
    const person = await server.createUser()
    await server.pool.query(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT950', '감사 담당', 'Auditor', 50)`,
    )
    await server.pool.query(`update users set role_code = 'AUT950' where id = $1`, [person.id])
    await page.goto('/role/manage')
    const admins = page.getByRole('checkbox', { name: /^관리자: / })
    await expect(admins.first()).toBeVisible()
    for (const box of await admins.all()) {
      await expect(box).toBeChecked()
      await expect(box).toBeDisabled()
    }
    await expect(page.getByRole('button', { name: /인사 관리자 (이름 변경|삭제)/ })).toHaveCount(0)
    await page.getByRole('button', { name: '감사 담당 삭제' }).click()
    await answer(page, '권한 그룹 삭제', '네')
    await answer(page, '이 권한 그룹을 사용하는 사용자가 있어 삭제할 수 없습니다.', '확인')
    await expect(page.getByRole('button', { name: '감사 담당 삭제' })).toBeVisible()

    const box = page.getByRole('checkbox', { name: '인사 관리자: 파트너 관리' })
    await box.focus()
    await page.keyboard.press('Space')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(box).toBeFocused()
    await expectAccessibleInEveryLook(page)
    await expect(page.getByRole('checkbox', { name: 'Ordinary user: All keys' })).toBeChecked()
    const names = /^홍|홍길동|관리자 \/|파트너|협력사|감사|인사 관리자|일반 사용자/
    await expect.poll(async () => (await koreanWords(page)).filter((text) => !names.test(text))).toEqual([])
  })
})

test('tells users without the permission so on pages that need it, and leads to / (rules/frame#function-pages)', async ({
  as,
}) => {
  const { page } = await as('user')
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url())
  })
  // One page that asks before it loads its screen, with a record, and the one that needs either of two permissions.
  for (const path of ['/partner/detail?partnerCode=X1', '/user/import']) {
    await page.goto(path)
    await answer(page, '권한이 없습니다.', '확인')
    await expect(page).toHaveURL('/main')
  }
  // The page asks before it shows or loads anything: no call behind it is refused.
  expect(refused).toEqual([])
  await page.goto('/user/approval')
  await answer(page, '권한이 없습니다.', '확인')
  await expect(page).toHaveURL('/main')
  await setLook(page, 'English')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.goto('/role/manage')
  await expect(page.getByRole('alertdialog')).toContainText('no permission')
})
