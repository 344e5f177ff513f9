import { PLAIN_BASE } from '../../contract/envelope.ts'
import { answer } from '../fixtures/dialogs.ts'
import { expect, test, type WorkerMaru } from '../fixtures/test.ts'
import { choose } from '../users/steps.ts'

/** Lists users as a program does; gives the status. */
async function listUsers({ url }: WorkerMaru, token: string): Promise<number> {
  const response = await fetch(`${url}${PLAIN_BASE}/users/listUsers`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: '{}',
  })
  return response.status
}

test('registers a program by keyboard, whose token works until it is disabled (rules/keys#program-accounts)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  await page.goto('/integration')
  await expect(page).toHaveTitle('프로그램 계정 | 마루')
  const register = page.getByRole('button', { name: '프로그램 등록', exact: true })
  await expect(register).toBeEnabled()
  await register.press('Enter')
  const form = page.getByRole('dialog', { name: '프로그램 등록', exact: true })
  const name = form.getByRole('textbox', { name: '이름' })
  await name.fill('급여 연동')
  await name.press('Enter')
  await expect(form.getByText('API 권한을 선택해주세요.')).toBeVisible()
  await expectAccessible(page)
  await choose(form, '권한', '인사 관리자')
  await choose(form, '소속', '광주지사')
  await form.getByRole('checkbox', { name: '사용자 조회', exact: true }).press('Space')
  await name.press('Enter')

  const tokens = page.getByRole('region', { name: '급여 연동의 토큰', exact: true })
  await expect(tokens).toBeFocused()
  await tokens.getByRole('button', { name: '토큰 만들기', exact: true }).press('Enter')
  await page.getByRole('dialog').getByRole('textbox', { name: '토큰 이름' }).fill('1호기')
  await page.keyboard.press('Enter')
  const field = page.getByRole('dialog').getByRole('textbox', { name: '토큰', exact: true })
  await expect(field).toHaveValue(/^maru-program-/)
  const token = await field.inputValue()
  await page.getByRole('dialog').getByRole('button', { name: '닫기', exact: true }).last().click()
  await answer(page, '저장하지 않은 내용', '네')
  expect(await listUsers(server, token)).toBe(200)

  const row = page.getByRole('row', { name: /급여 연동/ })
  await row.getByRole('button', { name: '급여 연동 수정', exact: true }).click()
  const edit = page.getByRole('dialog', { name: '급여 연동 수정', exact: true })
  await edit.getByRole('checkbox', { name: '사용', exact: true }).press('Space')
  await edit.getByRole('button', { name: '저장', exact: true }).click()
  await expect(row).toContainText('중지')
  expect(await listUsers(server, token)).toBe(401)

  await expectAccessibleInEveryLook(page)
  // The screen is in English now.
  await row.getByRole('button', { name: 'Delete 급여 연동', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page.getByText('There are no program accounts.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Register a program', exact: true })).toBeFocused()
})
