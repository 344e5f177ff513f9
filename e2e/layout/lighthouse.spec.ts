import { expect, test } from '../fixtures/test.ts'
import { withLighthouse } from '../fixtures/lighthouse.ts'

/** Audits of Lighthouse that count instead of timing: the load of the machine does not affect them. */
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

test('reaches 100 of 100 in Lighthouse and passes every counted performance audit (rules/frame#speed)', async ({
  server,
}) => {
  await withLighthouse(server, async (look) => {
    for (const path of ['/login', '/main', '/user/search']) {
      const { categories, audits } = await look(path)
      expect.soft(categories['accessibility']?.score, `${path}: accessibility`).toBe(1)
      expect.soft(categories['best-practices']?.score, `${path}: best practices`).toBe(1)
      const failed = COUNTED.filter((name) => (audits[name]?.score ?? 1) < 1)
      expect.soft(failed, path).toEqual([])
      // Every counted audit still exists under its name.
      expect.soft(COUNTED.filter((name) => audits[name] === undefined)).toEqual([])
    }
  })
})
