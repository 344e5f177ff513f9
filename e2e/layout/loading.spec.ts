import type { CDPSession, Page } from '@playwright/test'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { API_BASE } from '../../contract/envelope.ts'
import { listUploads } from '../../contract/notices/files.ts'
import { countUnreadNotifications, NOTIFICATION_STREAM_PATH } from '../../contract/notifications/count.ts'
import { framedPages, pages, slimPages } from '../../contract/pages.ts'
import { PAST_MONTH, PRESENT_QUARTER } from '../audit/past-month.ts'
import { newPage, QUIET, signIn } from '../fixtures/page-pool.ts'
import { expect, test, waitForQuiet, waitUntilSettled } from '../fixtures/test.ts'

test.use({ isFirstVisit: true })

/** Requests of a page since it was watched. */
interface Watched {
  /** Each request with its place in the chain: 1 is the document, 2 what the document names, 3 what its scripts ask for. */
  steps: Map<string, number>
  /** The paths that nobody waits for. */
  prefetched: string[]
}

/**
 * Requests of a page once it is idle. On a slow machine that is before the network is idle, and still no part of the
 * visit.
 */
const AT_REST = [
  '/assets/watch-notifications-',
  API_BASE + countUnreadNotifications.path,
  API_BASE + NOTIFICATION_STREAM_PATH,
  API_BASE + listUploads.path,
]

/** Follows every request and who asked for it, as the browser itself tells. */
async function watch(page: Page): Promise<Watched> {
  const client: CDPSession = await page.context().newCDPSession(page)
  const watched: Watched = { steps: new Map(), prefetched: [] }
  await client.send('Network.enable')
  // A first visit has nothing in its cache.
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  // An event of another test would make home read its notices and tasks again, and so would the end of the stream: it stays open.
  await page.route(`**${NOTIFICATION_STREAM_PATH}`, () => {})
  client.on('Network.requestWillBeSent', ({ request, initiator, type, requestId }) => {
    const { pathname } = new URL(request.url)
    if (request.url.startsWith('data:')) return
    if (request.headers['Sec-Purpose'] === 'prefetch' || pathname === '/pages.json') {
      watched.prefetched.push(pathname)
      return
    }
    if (AT_REST.some((start) => pathname.startsWith(start))) return
    const isByScript = initiator.type === 'script' || initiator.stack !== undefined
    const step = type === 'Document' ? 1 : isByScript ? 3 : 2
    // Two calls of one path are two requests.
    watched.steps.set(`${pathname} ${requestId}`, step)
  })
  return watched
}

/** The form of a partner asks for its lists of regions, its usage and who changed it last too. */
const MOST: Record<string, number> = { '/partner/detail': 14 }

test('needs at most 12 requests per page, for files named by the document (rules/frame#speed)', async ({
  as,
  browser,
  contextOptions,
  server,
}) => {
  const { page: signedIn, person } = await as('admin')
  await signedIn.goto('/login')
  // Records that the pages show. If one were missing, a dialog would report it, and that dialog would load its own
  // files.
  await server.createPartner({ code: 'LOADING-1' })
  await server.pool.query(
    `insert into privacy_notices (version, text_ko, text_en, is_material, published_by) values (1, '처리방침', '', false, $1)`,
    [person.id],
  )
  const notice = await server.db
    .insertInto('notices')
    .values({ bulletCode: 'BE0001', title: '안내', memo: null, authorId: person.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await signedIn.goto('/user/search')
  // The table shows before its rows, which come once the access is logged.
  await signedIn.getByRole('row').nth(1).getByRole('link').first().waitFor()
  const access = await server.db
    .selectFrom('accessLog')
    .select(sql<string>`to_char(month, 'YYYYMM') || '-' || position`.as('id'))
    .executeTakeFirstOrThrow()
  await server.pool.query(`insert into access_log_heads values ($1, 1, now(), '')`, [`${PAST_MONTH}-01`])
  const incident = await server.db
    .insertInto('incidents')
    .values({ title: '사고', knownAt: '2026-01-01', createdBy: person.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const words: Record<string, string> = {
    '/access/detail': `?accessId=${access.id}`,
    '/access/leak': `?incidentId=${incident.id}`,
    '/access/month': `?month=${PAST_MONTH}`,
    '/setting/erasure': '?erasedFrom=2026-01-01&erasedTo=2026-01-31',
    '/notice/detail': `?noticeId=${notice.id}`,
    '/partner/detail': '?partnerCode=LOADING-1',
    '/right/quarter': `?quarter=${PRESENT_QUARTER}`,
  }
  const free: (Watched & { page: Page })[] = []
  const open = async () => {
    const page = await newPage(browser, { ...contextOptions, baseURL: server.url })
    return { page, ...(await watch(page)) }
  }
  const visit = async (path: string) => {
    const visitor = free.pop() ?? (await open())
    const { page, steps } = visitor
    await page.goto(QUIET)
    const isSignedIn = path in framedPages || path === '/password'
    await signIn(page, isSignedIn ? person : undefined)
    steps.clear()
    await page.goto(path + (words[path] ?? ''))
    await page.locator('h1').first().waitFor()
    await waitForQuiet(page)
    const asked = [...steps].map(([request]) => request.split(' ')[0] ?? '')
    expect.soft(asked.length, `${path}: ${asked.join(' ')}`).toBeLessThanOrEqual(MOST[path] ?? 12)
    const late = [...steps].filter(([request, step]) => step > 2 && !request.startsWith('/api/'))
    expect.soft(late, `${path}: asked for by scripts and no call`).toEqual([])
    free.push(visitor)
  }
  // Most of a visit waits for nothing more to come: three at a time.
  const inTurn = pLimit(3)
  await Promise.all(Object.keys(pages).map((path) => inTurn(() => visit(path))))
  for (const { page } of free) await page.context().close()
  await server.pool.query('truncate privacy_notices, privacy_acceptances')
  // Nobody else's home is to be reminded of it.
  await server.pool.query('delete from access_log_heads where month = $1', [`${PAST_MONTH}-01`])
})

test('loads home with the user search of HR in no more requests (rules/frame#speed)', async ({ as }) => {
  const { page } = await as('hr')
  const { steps } = await watch(page)
  await page.goto('/main')
  await page.getByRole('table').waitFor()
  await waitForQuiet(page)
  expect(steps.size, [...steps.keys()].join('\n')).toBeLessThanOrEqual(12)
})

test('loads the next page’s files when idle: home after login, then the menu’s (rules/frame#prefetch)', async ({
  as,
  page,
}) => {
  const before = await watch(page)
  await page.goto('/login')
  await expect.poll(() => before.prefetched.some((path) => path.includes('/portal-'))).toBe(true)
  expect(before.prefetched.filter((path) => path.includes('search.page'))).toEqual([])
  expect(Object.keys(slimPages)).toContain('/login')

  const { page: home } = await as('user')
  const after = await watch(home)
  await home.goto('/main')
  const has = (name: string) => after.prefetched.some((path) => path.includes(name))
  await expect.poll(() => has('/notice-search.page-') && has('/key-search.page-')).toBe(true)
  // Neither what the menu does not offer, nor what is as large as all else together.
  expect(after.prefetched.filter((path) => /partner|roles|charts/.test(path))).toEqual([])
  await waitUntilSettled(home)
})

test('prefetches nothing with data saving on, and works without a failed prefetch (rules/frame#prefetch)', async ({
  as,
  fragile,
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  const sparing = await watch(page)
  await page.goto('/login')
  await page.getByRole('textbox').first().waitFor()
  // Longer than the idle time before a page prefetches.
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 2_000)))
  expect(sparing.prefetched).toEqual([])

  const { page: home } = await as('user', {}, fragile)
  const tried = await watch(home)
  await home.route('**/pages.json', (route) => route.abort())
  await home.goto('/main')
  await expect.poll(() => tried.prefetched).toContain('/pages.json')
  await home.goto('/notice/search')
  await expect(home.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(home.getByRole('table')).toBeVisible()
})
