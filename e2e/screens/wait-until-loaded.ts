import type { Page } from '@playwright/test'
import { waitForQuiet } from '../fixtures/test.ts'

/** Waits until all is there that the page asks for, its tables too. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await waitForQuiet(page)
  await page.locator('table[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** Opens the page again, with the data written to the database or the browser in the meantime. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await waitUntilLoaded(page)
}
