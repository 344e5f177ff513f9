import type { Page } from '@playwright/test'

/** Waits until all is there that the page asks for, its tables too. */
export async function loaded(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('table[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** Opens the page anew, with what was put into the database or the browser meanwhile. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await loaded(page)
}
