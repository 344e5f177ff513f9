/** Supports design/page-build#lighthouse. Everything is timed, so the machine must be idle. */
import { type Browser, chromium } from '@playwright/test'
import { withLighthouse } from '../../e2e/fixtures/lighthouse.ts'
import { findChromium } from '../test/chromium.ts'
import { atEnd, defineBench, say } from './harness/bench.ts'
import { startDemo } from './harness/maru.ts'
import { median, printHead, printRow } from './harness/numbers.ts'

/** Fast 4G as Chromium's developer tools have it: bytes a second, and ms of latency. */
const FAST_4G = { offline: false, downloadThroughput: 1_012_500, uploadThroughput: 168_750, latency: 165 }

/**
 * Pages that are measured, with the selector of an element that a usable page has. /login is visited as a guest, the
 * others as the administrator.
 */
const PAGES = {
  '/login': 'input[type=password]',
  '/main': 'article a, li a[href*="noticeId"], h1',
  '/user/search': 'tbody tr[tabindex], tbody tr a, tbody tr td:nth-child(2)',
}

/**
 * Visits each of PAGES `times` times and prints the median time and the requests and bytes of the first visit. Then
 * prints the scores of Lighthouse.
 */
export default defineBench({
  name: 'page',
  claim: 'A first visit is usable soon at a quarter of the CPU on Fast 4G, and Lighthouse agrees',
  options: { times: 5 },
  async run({ times }) {
    const maru = await startDemo()
    const session = await maru.signInAdmin()
    const url = `http://127.0.0.1:${maru.port}`
    const executablePath = findChromium()
    const browser = await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    })
    atEnd(() => browser.close())
    printHead('page', 'usable after, ms', 'requests', 'KB')
    for (const [path, ready] of Object.entries(PAGES)) {
      const visits: Visit[] = []
      for (let time = 0; time < times; time += 1)
        visits.push(await visit(browser, url + path, ready, path === '/login' ? undefined : session))
      const [{ requests, bytes } = { requests: 0, bytes: 0 }] = visits
      const usable = median(visits.map(({ ms }) => ms))
      printRow(path, usable.toFixed(0), String(requests), (bytes / 1024).toFixed(0))
    }
    await withLighthouse(
      { url, createUser: () => Promise.resolve({ session, userId: 'admin' }) },
      async (look) => {
        for (const path of Object.keys(PAGES)) {
          const { categories } = await look(path)
          const scores = Object.values(categories).map(
            ({ id, score }) => `${id} ${Math.round((score ?? 0) * 100)}`,
          )
          say(`${path}: Lighthouse ${scores.join(', ')}`)
        }
      },
    )
  },
})

/** Time until the page is usable, and what it fetched. */
interface Visit {
  /** Milliseconds until the page is usable. */
  ms: number
  requests: number
  /** Bytes of all responses, as compressed on the network. */
  bytes: number
}

/**
 * Visits a page with an empty cache, a slow network and a quarter of the CPU, and returns its time and what it fetched.
 * @param ready selector of the element that makes the page usable
 * @param session sessionUid of the administrator; undefined for a guest
 */
async function visit(browser: Browser, url: string, ready: string, session?: string): Promise<Visit> {
  const context = await browser.newContext({ locale: 'ko-KR' })
  if (session !== undefined) {
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
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(ready).first().waitFor()
  const ms = await page.evaluate(() => performance.now())
  await context.close()
  return { ms, requests, bytes }
}
