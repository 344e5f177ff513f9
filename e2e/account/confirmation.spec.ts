import type { Page } from '@playwright/test'
import { closeToast } from '../fixtures/dialogs.ts'
import { codeAt } from '../../dev/test-kit/factors.ts'
import { expect, PASSWORD, test, type SignedIn, type WorkerMaru } from '../fixtures/test.ts'
import { passGate, setUpApp } from './steps.ts'

/* Dangerous calls ask for the password again (rules/account#confirmation). */

const LONG_AGO = new Date(Date.now() - 60 * 60 * 1000)

function loggedInLongAgo(server: WorkerMaru, { person }: SignedIn): Promise<unknown> {
  return server.db
    .updateTable('sessions')
    .set({ createdAt: LONG_AGO, passwordCheckedAt: null, factorCheckedAt: null })
    .where('userId', '=', person.id)
    .execute()
}

const question = (page: Page) => page.getByRole('dialog', { name: '비밀번호 확인' })
const field = (page: Page) => question(page).getByRole('textbox', { name: '비밀번호', exact: true })

test.afterEach(async ({ server }) => {
  await server.db.updateTable('settings').set({ sessionLimit: 0 }).execute()
})

test('asks over the settings overlay, keeps the input and continues by keyboard', async ({
  as,
  server,
  expectAccessible,
}) => {
  const me = await as('admin')
  const { page } = me
  await loggedInLongAgo(server, me)
  await page.goto('/setting/security')
  const limit = page.getByRole('textbox', { name: /^동시 로그인 기기 수/ })
  await limit.fill('7')
  const save = page.getByRole('button', { name: '저장', exact: true })
  await save.press('Enter')
  await expect(field(page)).toBeFocused()
  await expect(question(page)).toContainText('확인을 위해 비밀번호를 다시 입력해주세요.')
  await expectAccessible(page)

  // Nothing happens to what was typed, nor to what is saved.
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(limit).toHaveValue('7')
  const saved = () => server.db.selectFrom('settings').select('sessionLimit').executeTakeFirstOrThrow()
  expect(await saved()).toEqual({ sessionLimit: 0 })

  await save.press('Enter')
  await field(page).fill('wrong-Maru-2026!')
  await field(page).press('Enter')
  await expect(question(page)).toContainText('비밀번호')
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
  await field(page).fill(PASSWORD)
  await field(page).press('Enter')
  await closeToast(page, '보안 설정을 저장했습니다.')
  expect(await saved()).toEqual({ sessionLimit: 7 })
})

test('keeps the dialog below open and submits it once the password is entered', async ({ as, server }) => {
  const me = await as('admin')
  const { page } = me
  await loggedInLongAgo(server, me)
  const person = await server.createUser({ name: '김파도' })
  await page.goto(`/user/detail?userId=${person.userId}`)
  await page.getByRole('button', { name: '탈퇴', exact: true }).press('Enter')
  const leaving = page.getByRole('alertdialog')
  await leaving.getByRole('button', { name: '네', exact: true }).press('Enter')
  await field(page).fill(PASSWORD)
  await question(page).getByRole('button', { name: '확인', exact: true }).press('Enter')
  await expect(question(page)).toHaveCount(0)
  await expect
    .poll(async () =>
      server.db.selectFrom('users').select('withdrawnAt').where('id', '=', person.id).executeTakeFirst(),
    )
    .not.toEqual({ withdrawnAt: null })
})

test('keeps the form’s input on cancel, and creates a token on confirmation', async ({ as, server }) => {
  const me = await as('admin')
  const { page } = me
  await loggedInLongAgo(server, me)
  await page.goto('/key/services')
  await page.getByRole('button', { name: '토큰 만들기', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: '서비스 토큰 만들기' })
  const name = dialog.getByRole('textbox', { name: /^서비스 이름/ })
  await name.fill('확인용 서비스')
  await dialog.getByRole('button', { name: '토큰 만들기', exact: true }).press('Enter')
  await expect(field(page)).toBeFocused()
  // The dialog below leaves the keyboard to the question.
  await page.keyboard.type('typed')
  await expect(field(page)).toHaveValue('typed')
  await question(page).getByRole('button', { name: '취소', exact: true }).press('Enter')
  await expect(name).toHaveValue('확인용 서비스')
  await dialog.getByRole('button', { name: '토큰 만들기', exact: true }).press('Enter')
  await field(page).fill(PASSWORD)
  await field(page).press('Enter')
  await expect(question(page)).toHaveCount(0)
  await expect(page.locator('tbody tr').filter({ hasText: '확인용 서비스' })).toHaveCount(1)
})

test('asks a user who has a second factor for that, by keyboard', async ({
  as,
  server,
  expectAccessible,
}) => {
  const me = await as('admin')
  const { page } = me
  await page.goto('/mypage')
  await passGate(page)
  await page.getByRole('button', { name: '2단계 인증 관리', exact: true }).click()
  const { secret } = await setUpApp(page)
  await loggedInLongAgo(server, me)
  await page.goto('/setting/security')
  const limit = page.getByRole('textbox', { name: /^동시 로그인 기기 수/ })
  await limit.fill('7')
  await page.getByRole('button', { name: '저장', exact: true }).press('Enter')
  const asked = page.getByRole('dialog', { name: '2단계 인증 확인' })
  const code = asked.getByRole('textbox', { name: '인증 코드', exact: true })
  await expect(code).toBeFocused()
  await expect(asked).toContainText('확인을 위해 2단계 인증을 다시 진행해주세요.')
  await expectAccessible(page)

  await page.keyboard.press('Escape')
  await expect(asked).toHaveCount(0)
  await expect(limit).toHaveValue('7')
  const saved = () => server.db.selectFrom('settings').select('sessionLimit').executeTakeFirstOrThrow()
  expect(await saved()).toEqual({ sessionLimit: 0 })

  await page.getByRole('button', { name: '저장', exact: true }).press('Enter')
  await code.fill('000000')
  await code.press('Enter')
  await expect(asked).toContainText('인증 코드가 올바르지 않거나 이미 사용되었습니다.')
  await expect(code).toBeFocused()
  // The code that set the app up does not count again.
  await code.fill(codeAt(secret, new Date(Date.now() + 30_000)))
  await code.press('Enter')
  await closeToast(page, '보안 설정을 저장했습니다.')
  expect(await saved()).toEqual({ sessionLimit: 7 })
})
