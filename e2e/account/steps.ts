import type { Page } from '@playwright/test'
import { pages } from '../../contract/pages.ts'
import { PASSWORD } from '../fixtures/test.ts'

/** The addresses that need a login (rules/frame#pages). */
export const GUARDED = Object.entries(pages)
  .filter(([, page]) => page.needsLogin)
  .map(([path]) => path)

/** Fills the login form and sends it. */
export async function logIn(page: Page, userId: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: '아이디' }).fill(userId)
  await page.getByLabel('비밀번호', { exact: true }).fill(password)
  await page.getByRole('button', { name: '로그인' }).click()
}

/** What the browser keeps of the session. */
export function stored(page: Page): Promise<{ uid: string | null; userId: string | null }> {
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
