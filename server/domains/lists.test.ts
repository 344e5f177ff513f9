import { beforeAll, expect, test } from 'vitest'
import { listRequests } from '../../contract/approvals.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { getKeyStatistics, listKeys, listServices } from '../../contract/keys.ts'
import { listNotices, listUnread } from '../../contract/notices.ts'
import { listPartners } from '../../contract/partners.ts'
import { listRoleChanges, listRolesWithFunctions } from '../../contract/roles.ts'
import { ENDING, listEnding } from '../../contract/users/validity.ts'
import { listUsers } from '../../contract/users.ts'
import { useMaru } from '../test-kit/maru.ts'
import type { TestUser } from '../test-kit/people.ts'
import { roundTrips } from '../test-kit/round-trips.ts'

const maru = useMaru()
let admin: TestUser
let noticeId: string

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  const { rows } = await maru.database.pool.query<{ id: string }>(
    `insert into notices (bullet_code, title, memo, author_id, must_read)
     values ('BE0001', '점검 안내', '', ${admin.id}, true) returning id`,
  )
  noticeId = rows[0]?.id ?? ''
})

const NAMED = { requesterName: '김', affiliationCode: 'BEL001', issuedFrom: '2026-01-15' }

const LISTS: [string, Endpoint, () => object][] = [
  ['users', listUsers, () => ({ name: '김', sort: 'roleName' })],
  ['endings', listEnding, () => ({ state: ENDING.suspended })],
  ['requests', listRequests, () => ({})],
  ['notices', listNotices, () => ({ searchType: '통합검색', title: '점검', author: '점검' })],
  ['the unread', listUnread, () => ({ noticeId })],
  ['keys', listKeys, () => NAMED],
  ['charts of keys', getKeyStatistics, () => NAMED],
  ['services', listServices, () => ({})],
  ['partners', listPartners, () => ({ partnerCode: 'A', sort: 'affiliationName' })],
  ['roles', listRolesWithFunctions, () => ({})],
  ['changes of roles', listRoleChanges, () => ({})],
]

test.each(LISTS)(
  'the list of %s takes at most 3 round trips, the session included',
  async (_, endpoint, input) => {
    const call = async () => {
      const { status } = await maru.call(endpoint, input(), { session: admin.session })
      expect(status).toBe(200)
    }
    await call()
    const statements = await roundTrips(maru.database.pool, call)
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(3)
    expect(statements.length).toBeGreaterThan(1)
  },
)
