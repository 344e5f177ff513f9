import type { Page } from '@playwright/test'
import { expect } from '../fixtures/test.ts'

/** Returns a script that reports itself if it runs, for every place of HTML that text may appear in. */
export const run = (where: string) => `window.ran='${where}'`

declare global {
  interface Window {
    /** Set by a script that should not have run. */
    ran?: string
    /** Scripts that the browser refused to run. */
    refused: string[]
  }
}

/** Counts what the browser refuses; runs in the page before anything else does. */
export function watchPolicy(): void {
  window.refused = []
  document.addEventListener('securitypolicyviolation', (event) => {
    window.refused.push(`${event.violatedDirective} ${event.sample}`)
  })
}

/**
 * Checks that the input is shown only as text: no script ran, it created no element, and the browser refused nothing.
 */
export async function expectHarmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const { ran, refused } = window
    const strange =
      'img[src=x], iframe, body script:not([src]), a[href^="javascript:"], [onerror], [onmouseover]'
    return { ran, refused, elements: document.querySelectorAll(strange).length }
  })
  expect(found, where).toEqual({ ran: undefined, refused: [], elements: 0 })
}
