import type { Page } from '@playwright/test'
import { expect, test, waitForQuiet } from '../fixtures/test.ts'

test.use({ isFirstVisit: true })

const charts = (files: readonly string[]) => files.filter((file) => /chart/i.test(file))

/** Sums up scripts and styles that the page loads, in bytes on the network (Brotli). */
function listen(page: Page): { bytes: () => number; files: string[] } {
  const sizes: number[] = []
  const files: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!/\.(js|css)$/.test(pathname)) return
    const headers = response.headers()
    expect(headers['content-encoding'], `${pathname} travels as Brotli`).toBe('br')
    sizes.push(Number(headers['content-length']))
    files.push(`${pathname} ${headers['content-length']}`)
  })
  return { bytes: () => sizes.reduce((sum, size) => sum + size, 0), files }
}

test('loads at most 130 KB of scripts and styles on the first login page (rules/frame#size)', async ({
  page,
}) => {
  const loaded = listen(page)
  await page.goto('/login')
  await waitForQuiet(page)
  expect(loaded.bytes()).toBeGreaterThan(10 * 1024)
  expect(loaded.bytes()).toBeLessThanOrEqual(130 * 1024)
})

test('loads the chart library only on the page with the charts', async ({ as }) => {
  const { page } = await as('admin')
  const loaded = listen(page)
  for (const path of ['/main', '/key/services']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitForQuiet(page)
    expect(charts(loaded.files), path).toEqual([])
  }
  // Proves that the listener would see it.
  await page.goto('/key/statistics')
  await page.locator('.recharts-surface').first().waitFor()
  expect(charts(loaded.files)).not.toEqual([])
})

for (const path of ['/user/search', '/user/approval', '/key/search', '/partner/search', '/notice/search']) {
  test(`loads at most 195 KB of scripts and styles for ${path} in all, and no chart library (rules/frame#size)`, async ({
    as,
  }) => {
    const { page } = await as('admin')
    const loaded = listen(page)
    await page.goto(path)
    await page.getByRole('table').waitFor()
    await waitForQuiet(page)
    expect(loaded.bytes()).toBeGreaterThan(10 * 1024)
    expect(loaded.bytes()).toBeLessThanOrEqual(195 * 1024)
    expect(charts(loaded.files)).toEqual([])
  })
}
