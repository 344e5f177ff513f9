/**
 * How long a first visit takes until the page can be used, the first row of a list shown, at a quarter of this
 * processor's speed on Fast 4G; and what Lighthouse gives login, home and user search. All of it is timed: the machine has
 * to be otherwise at rest.
 *
 * Run: npm run bench -- page
 */
import { type Browser, chromium } from '@playwright/test'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { SESSION_HEADER } from '../../contract/envelope.ts'
import { withLighthouse } from '../../e2e/fixtures/lighthouse.ts'
import { findChromium } from '../test/chromium.ts'
import type { Target } from './lists/load.ts'
import { startOwnDatabase } from './own-database.ts'

const TIMES = 5

/** Fast 4G as Chromium's developer tools have it: bytes a second, and milliseconds until something comes. */
const FAST_4G = { offline: false, downloadThroughput: 1_012_500, uploadThroughput: 168_750, latency: 165 }

/** What stands when a page can be used. */
const PAGES = {
  '/login': 'input[type=password]',
  '/main': 'article a, li a[href*="noticeId"], h1',
  '/user/search': 'tbody tr[tabindex], tbody tr a, tbody tr td:nth-child(2)',
}

const own = await startOwnDatabase()
const child = fork(new URL('demo-maru.ts', import.meta.url), {
  env: { ...process.env, CONNECTION: JSON.stringify(own.connection), DATA_DIR: own.dataDir },
})
const [target] = (await once(child, 'message')) as [Target]
const url = `http://127.0.0.1:${target.port}`
const session = String(new Headers(target.headers).get(SESSION_HEADER))
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  for (const [path, ready] of Object.entries(PAGES)) {
    const visits = []
    for (let time = 0; time < TIMES; time += 1) visits.push(await visit(browser, path, ready))
    const [first, median] = [visits[0], visits.toSorted((a, b) => a.ms - b.ms)[Math.floor(TIMES / 2)]]
    say(
      `  ${path.padEnd(14)} usable after ${median?.ms.toFixed(0)} ms (4x CPU, Fast 4G, median of ${TIMES}), ` +
        `${first?.requests} requests, ${((first?.bytes ?? 0) / 1024).toFixed(0)} KB`,
    )
  }
  await withLighthouse(
    { url, createUser: () => Promise.resolve({ session, userId: 'admin' }) },
    async (look) => {
      for (const path of Object.keys(PAGES)) {
        const { categories } = await look(path)
        const scores = Object.values(categories).map(
          ({ id, score }) => `${id} ${Math.round((score ?? 0) * 100)}`,
        )
        say(`  ${path.padEnd(14)} Lighthouse: ${scores.join(', ')}`)
      }
    },
  )
} finally {
  await browser.close()
  child.kill()
  await own.stop()
}

/** A first visit, with nothing in the browser's cache. */
async function visit(
  inBrowser: Browser,
  path: string,
  ready: string,
): Promise<{ ms: number; requests: number; bytes: number }> {
  const context = await inBrowser.newContext({ locale: 'ko-KR' })
  if (path !== '/login') {
    await context.addInitScript((uid) => {
      localStorage.setItem('session_uid', uid)
      localStorage.setItem('session_user_id', 'admin')
    }, session)
  }
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.emulateNetworkConditions', FAST_4G)
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  let [requests, bytes] = [0, 0]
  client.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) requests += 1
  })
  client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.goto(url + path, { waitUntil: 'commit' })
  await page.locator(ready).first().waitFor()
  const ms = await page.evaluate(() => performance.now())
  const seen = { ms, requests, bytes }
  await context.close()
  return seen
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
