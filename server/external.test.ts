import { expect, test } from 'vitest'
import { endpoints } from '../contract/index.ts'

/* Every call by a user of another company whose role has every permission (rules/affiliations#external). */

// The kit creates its databases when it is loaded. The query makes it another module than that of branch.test.ts, which may run in
// the same worker.
const kit = '../dev/test-kit/branches.ts?external'
const { differences, options, sql, worlds } = (await import(
  kit
)) as typeof import('../dev/test-kit/branches.ts')
options.isExternal = true

/** Calls whose answer may say something about other companies, each with the reason. */
const PUBLIC: Record<string, string> = {
  beginTotp: 'its secret is random',
  login: 'the password of a user of another company opens their own account',
}

/** Calls that reveal the records of others without the feature. */
const OPEN = [
  'countRecipients',
  'exportKeys',
  'exportUsers',
  'getColleague',
  'getNotice',
  'getToDo',
  'getUser',
  'listColleagues',
  'listKeys',
  'listNotices',
  'listNotifications',
  'listTeams',
  'listUsers',
]

test.each(
  endpoints
    .filter(({ endpoint: { access } }) => access !== 'service')
    .map((entry) => [entry.name, entry] as const),
)(
  '%s answers another company alike, whatever the others hold (rules/affiliations#external)',
  async (name, entry) => {
    const found = await differences(entry)
    if (!(name in PUBLIC)) expect(found).toEqual([])
  },
)

test('finds calls that differ once the company is no other one', async () => {
  for (const maru of worlds)
    await sql(maru, `update codes set is_external = false where group_code = 'COMBEL001'`)
  const differing: string[] = []
  for (const entry of endpoints.filter(({ name }) => OPEN.includes(name)))
    if ((await differences(entry)).length > 0) differing.push(entry.name)
  expect(differing.toSorted()).toEqual(OPEN.toSorted())
})
