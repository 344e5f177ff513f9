import type { Locator, Page } from '@playwright/test'
import { codeAt } from '../../dev/test-kit/factors.ts'
import { expect, PASSWORD } from '../fixtures/test.ts'

/** Fills the login form and sends it. */
export async function logIn(page: Page, userId: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: '아이디' }).fill(userId)
  await page.getByLabel('비밀번호', { exact: true }).fill(password)
  await page.getByRole('button', { name: '로그인' }).click()
}

/** Reads the session that the browser stores. */
export function readStoredSession(page: Page): Promise<{ uid: string | null; userId: string | null }> {
  return page.evaluate(() => ({
    uid: localStorage.getItem('session_uid'),
    userId: localStorage.getItem('session_user_id'),
  }))
}

/** The password re-entry gate of /mypage. */
export const gate = (page: Page) => page.getByRole('region', { name: '비밀번호 확인' })

/** Passes it. */
export async function passGate(page: Page, password = PASSWORD): Promise<void> {
  await gate(page).getByLabel('비밀번호', { exact: true }).fill(password)
  await gate(page).getByRole('button', { name: '확인', exact: true }).click()
}

/** Sets an authenticator app up by keyboard, where it is offered; gives its secret, and the dialog of recovery codes that comes of it. */
export async function setUpApp(page: Page): Promise<{ secret: string; codes: Locator }> {
  await page.getByRole('button', { name: '인증 앱 등록', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: '인증 앱 등록', exact: true })
  await expect(dialog.getByRole('img', { name: '인증 앱 등록용 QR 코드' })).toBeVisible()
  const key = dialog.getByText(/^[A-Z2-7 ]{39}$/)
  await expect(key).toBeVisible()
  const code = dialog.getByRole('textbox', { name: '인증 코드', exact: true })
  await expect(code).toBeFocused()
  const secret = (await key.innerText()).replaceAll(' ', '')
  await code.fill(codeAt(secret, new Date()))
  await dialog.getByRole('button', { name: '등록', exact: true }).press('Enter')
  const codes = page.getByRole('dialog', { name: '복구 코드', exact: true })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  return { secret, codes }
}
