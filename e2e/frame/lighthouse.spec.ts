import { expect, test } from '../fixtures/test.ts'
import { withLighthouse } from '../fixtures/lighthouse.ts'

/** What Lighthouse counts of performance instead of timing it: a busy machine changes nothing about it. */
const COUNTED = [
  'cumulative-layout-shift',
  'total-byte-weight',
  'unminified-css',
  'unminified-javascript',
  'cache-insight',
  'cls-culprits-insight',
  'document-latency-insight',
  'dom-size-insight',
  'duplicated-javascript-insight',
  'font-display-insight',
  'image-delivery-insight',
  'legacy-javascript-insight',
  'third-parties-insight',
  'viewport-insight',
]

test('login, home and user search have 100 of 100 from Lighthouse for accessibility and best practices, and fail nothing that it counts of performance (rules/frame#speed)', async ({
  server,
}) => {
  await withLighthouse(server, async (look) => {
    for (const path of ['/login', '/main', '/user/search']) {
      const { categories, audits } = await look(path)
      expect.soft(categories['accessibility']?.score, `${path}: accessibility`).toBe(1)
      expect.soft(categories['best-practices']?.score, `${path}: best practices`).toBe(1)
      const failed = COUNTED.filter((name) => (audits[name]?.score ?? 1) < 1)
      expect.soft(failed, path).toEqual([])
      // That each is still called so.
      expect.soft(COUNTED.filter((name) => audits[name] === undefined)).toEqual([])
    }
  })
})
