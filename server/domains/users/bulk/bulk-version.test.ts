import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint, InputOf } from '../../../../contract/endpoint.ts'
import {
  BULK_ACTIONS,
  changeRoles,
  extendUsers,
  liftUsers,
  moveUsers,
  previewBulk,
  restoreUser,
  restoreUsers,
  suspendUsers,
  updateUser,
  withdrawUsers,
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
  changes = await noteChangedRows(maru.owner, { apart: ['rate_limits'] })
})

interface Scene {
  call: Endpoint
  /** What preview and change are asked for. */
  values?: Omit<InputOf<typeof previewBulk>, 'userIds' | 'bulkAction'>
  /** What the change alone is asked for. */
  told?: object
  user?: NewUser
  /** Makes them what the action is about; $1 are their IDs. */
  before?: string
  edit?: (person: TestUser) => Promise<{ status: number }>
  /** How many of the three are changed after the edit. */
  left?: number
}

/** Edits somebody's position, as the form of the user does. */
async function edit({ id, userId, email }: TestUser): Promise<{ status: number }> {
  const { rows } = await sql('select name, phone_number from users where id = $1', [id])
  const { name, phone_number: phoneNumber } = rows[0]
  const basic = { userId, email, name, phoneNumber, affiliationCode: 'BEL001', position: '본부장' }
  return maru.call(updateUser, { originalUserId: userId, ...basic }, colleague)
}

const SCENES: Record<(typeof BULK_ACTIONS)[number], Scene> = {
  extend: { call: extendUsers, values: { validTo: '2090-06-30' }, user: { validTo: '2087-01-01' } },
  role: { call: changeRoles, values: { roleCode: 'AUT002' } },
  suspend: { call: suspendUsers, told: { suspendedFor: 'LEAVE', reason: '휴가' } },
  lift: {
    call: liftUsers,
    told: { reason: '복귀' },
    before: `update users set suspended_at = now(), suspended_for = 'LEAVE' where id = any ($1)`,
  },
  withdraw: { call: withdrawUsers, told: { withdrawnReason: '퇴사' } },
  restore: {
    call: restoreUsers,
    before: 'update users set withdrawn_at = now() where id = any ($1)',
    edit: ({ userId }) => maru.call(restoreUser, { userId }, colleague),
    left: 2,
  },
  // The last: it alone sends mails, which are on their way for a while.
  move: {
    call: moveUsers,
    values: { affiliationCode: 'BEL002', partnerCode: 'BUSAN-1' },
    before: `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
      select id, login_id, name, email, affiliation_code, 'affiliation', 'BEL002' from users where id = any ($1)`,
  },
}

describe('a colleague’s edit between preview and change (rules/users#many-at-once)', () => {
  test.each(BULK_ACTIONS.toSorted((a, b) => Number(a === 'move') - Number(b === 'move')))(
    '%s: the whole is refused and nothing written, and the new preview’s version works',
    async (bulkAction) => {
      const {
        call,
        values = {},
        told = {},
        user = {},
        before,
        edit: editOne = edit,
        left = 3,
      } = SCENES[bulkAction]
      const people = [await maru.createUser(user), await maru.createUser(user), await maru.createUser(user)]
      const ids = people.map(({ id }) => id)
      const userIds = people.map(({ userId }) => userId)
      if (before !== undefined) await sql(before, [ids])
      const preview = async () => (await maru.call(previewBulk, { userIds, bulkAction, ...values }, hr)).data
      const run = (version: string) => maru.call(call, { userIds, ...values, ...told, version }, hr)

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
      expect([records - (asEdited['audit_log'] ?? 0), users - (asEdited['users'] ?? 0)]).toEqual([left, left])
    },
  )
})
