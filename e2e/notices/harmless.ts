import type { Page } from '@playwright/test'
import { expect } from '../fixtures/test.ts'

/** What would say so if it ran, in every place of HTML that text may fall into. */
export const run = (where: string) => `window.ran='${where}'`

declare global {
  interface Window {
    /** Set by a script that should not have run. */
    ran?: string
    /** What the browser refused to run. */
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

/** Nothing of it is anything but text: nothing ran, no element came of it, and the browser had nothing to refuse. */
export async function expectHarmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const { ran, refused } = window
    const strange =
      'img[src=x], iframe, body script:not([src]), a[href^="javascript:"], [onerror], [onmouseover]'
    return { ran, refused, elements: document.querySelectorAll(strange).length }
  })
  expect(found, where).toEqual({ ran: undefined, refused: [], elements: 0 })
}
