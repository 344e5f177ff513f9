import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint, InputOf } from '../../../../contract/endpoint.ts'
import {
  BULK_ACTIONS,
  BULK_CHANGES,
  previewBulk,
  restoreUser,
  updateUser,
} from '../../../../contract/users.ts'
import { type ChangedRows, noteChangedRows } from '../../../../dev/test-kit/changed-rows.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../../dev/test-kit/people.ts'

/* A colleague is quicker: whatever is done for many people at once is then done for nobody. */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let hr: TestUser
let colleague: TestUser
let changes: () => Promise<ChangedRows>
beforeAll(async () => {
  hr = await maru.createUser({ role: 'hr' })
  colleague = await maru.createUser({ role: 'admin' })
  await maru.createPartner({ code: 'BUSAN-1', affiliation: 'BEL002' })
  await sql(
    `insert into teams (id, affiliation_code, name, name_en) overriding system value values (9001, 'BEL001', '합류팀', '')`,
  )
  changes = await noteChangedRows(maru.owner, { apart: ['rate_limits'] })
})

interface Scene {
  /** Input of both preview and change. */
  values?: Omit<InputOf<typeof previewBulk>, 'userIds' | 'bulkAction'>
  /** Input of the change only. */
  told?: object
  user?: NewUser
  /** Makes them what the action is about; $1 are their IDs. */
  before?: string
  edit?: (person: TestUser) => Promise<{ status: number }>
  /** How many of the three are changed after the edit. */
  left?: number
  /** How many rows of users the change then writes; `left` by default. */
  changed?: number
}

/** Edits somebody's position, as the form of the user does. */
async function edit({ id, userId, email }: TestUser): Promise<{ status: number }> {
  const { rows } = await sql('select name, phone_number from users where id = $1', [id])
  const { name, phone_number: phoneNumber } = rows[0]
  const basic = { userId, email, name, phoneNumber, affiliationCode: 'BEL001', position: '본부장' }
  return maru.call(updateUser, { originalUserId: userId, ...basic }, colleague)
}

const SCENES: Record<(typeof BULK_ACTIONS)[number], Scene> = {
  extend: { values: { validTo: '2090-06-30' }, user: { validTo: '2087-01-01' } },
  role: { values: { roleCode: 'AUT002' } },
  suspend: { told: { suspendedFor: 'LEAVE', reason: '휴가' } },
  lift: {
    told: { reason: '복귀' },
    before: `update users set suspended_at = now(), suspended_for = 'LEAVE' where id = any ($1)`,
  },
  invite: {
    before: `insert into account_links (token_hash, user_id, kind, expires_at)
      select sha256(random()::text::bytea), id, 'INVITATION', now() from users where id = any ($1)`,
    changed: 0,
  },
  withdraw: { told: { withdrawnReason: '퇴사' } },
  restore: {
    before: 'update users set withdrawn_at = now() where id = any ($1)',
    edit: ({ userId }) => maru.call(restoreUser, { userId }, colleague),
    left: 2,
  },
  team: {
    values: { teamId: '9001' },
  },
  move: {
    values: { affiliationCode: 'BEL002', partnerCode: 'BUSAN-1' },
    before: `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
      select id, login_id, name, email, affiliation_code, 'affiliation', 'BEL002' from users where id = any ($1)`,
  },
}

describe('a colleague’s edit between preview and change (rules/users#bulk-changes)', () => {
  test.each(BULK_ACTIONS)(
    '%s: is refused as a whole, writes nothing, and works with the new version',
    async (bulkAction) => {
      const {
        values = {},
        told = {},
        user = {},
        before,
        edit: editOne = edit,
        left = 3,
        changed = left,
      } = SCENES[bulkAction]
      const people = [await maru.createUser(user), await maru.createUser(user), await maru.createUser(user)]
      const ids = people.map(({ id }) => id)
      const userIds = people.map(({ userId }) => userId)
      if (before !== undefined) await sql(before, [ids])
      // Mails of an earlier action may still be delivered, which changes rows.
      await expect.poll(async () => (await sql('select count(*)::int as n from mails')).rows[0].n).toBe(0)
      const preview = async () => (await maru.call(previewBulk, { userIds, bulkAction, ...values }, hr)).data
      const run = (version: string) =>
        maru.call<Endpoint>(BULK_CHANGES[bulkAction], { userIds, ...values, ...told, version }, hr)

      const { version, userCount } = await preview()
      expect(userCount).toBe(3)
      expect((await editOne(people[1]!)).status).toBe(200)
      const asEdited = await changes()
      const refused = await run(version)
      expect([refused.status, refused.code]).toEqual([400, 'RECORD_CHANGED'])
      // Every table: people, the trail, mails, sessions, requests.
      expect(await changes()).toEqual(asEdited)

      const again = await preview()
      expect(again).toMatchObject({ userCount: left, obstacleCount: 3 - left })
      expect(await changes()).toEqual(asEdited)
      const done = await run(again.version)
      expect([done.status, done.data]).toEqual([200, { userCount: left }])
      const { audit_log: records = 0, users = 0 } = await changes()
      expect([records - (asEdited['audit_log'] ?? 0), users - (asEdited['users'] ?? 0)]).toEqual([
        left,
        changed,
      ])
    },
  )
})
