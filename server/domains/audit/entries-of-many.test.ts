import { beforeAll, describe, expect, it } from 'vitest'
import { checkPassword } from '../../../contract/account.ts'
import { listRequestsOfUser, listRequests } from '../../../contract/approvals.ts'
import {
  exportAccess,
  exportAudit,
  getAccess,
  listAccess,
  listAudit,
  listHistory,
  listOwnAccess,
} from '../../../contract/audit.ts'
import type { Endpoint, InputOf } from '../../../contract/endpoint.ts'
import { listAllPrograms } from '../../../contract/keys.ts'
import { exportOwnData, listUsers } from '../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/* Every place that shows an entry of 30 users, and whom the access log names for it. */
const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let admin: TestUser
let hr: TestUser
let people: TestUser[]

/** Makes a call, and returns whom the access log names for it. */
async function named<E extends Endpoint>(endpoint: E, input: InputOf<E>, by = admin): Promise<string[]> {
  expect((await maru.call(endpoint, input, by)).status).toBe(200)
  const rows = (await sql(
    'select subjects from access_log where call = $1 and actor_id = $2 order by month desc, position desc limit 1',
    [endpoint.path, by.id],
  )) as { subjects: string[] }[]
  return rows[0]?.subjects ?? []
}

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  people = []
  for (let i = 0; i < 30; i++) people.push(await maru.createUser({ name: '여럿중하나', asked: true }))
  await maru.createPartner({ code: 'MANY-1' })
  // The search leaves an entry of 30 users in the access log.
  expect((await maru.call(listUsers, { name: '여럿중하나', perPage: 30 }, hr)).data.users).toHaveLength(30)
  for (const [action, record] of Object.entries({
    'user.approve': '',
    'partner.update': `partner/${String((await sql(`select id from partners where code = 'MANY-1'`))[0]?.id)}`,
    'notice.remind': 'notice/1',
    'role.grant': 'role/AUT003',
    'affiliation.close': 'affiliation/BEL001',
    'setting.update': '',
  }))
    await sql(
      `insert into audit_log (action, actor_id, target, detail, address, request_id, records) values ($1, $2, $3, '{}', '', '', $4)`,
      [
        action,
        admin.id,
        people.map(({ userId }) => userId).join(', '),
        [...(record === '' ? [] : [record]), ...people.map(({ id }) => `user/${id}`)],
      ],
    )
})

describe('an entry that names many users', () => {
  it.each([
    ['partner', 'MANY-1'],
    ['notice', '1'],
    ['role', ''],
    ['affiliation', ''],
    ['setting', ''],
  ] as const)('names nobody in the history of a %s (rules/audit#history)', async (recordKind, recordId) => {
    const { data } = await maru.call(listHistory, { recordKind, recordId }, admin)
    expect(data.rows).toHaveLength(1)
    expect(await named(listHistory, { recordKind, recordId })).toEqual([])
  })

  it('names its user alone in the history of a user', async () => {
    const [{ id, userId: recordId } = expect.unreachable()] = people
    expect(await named(listHistory, { recordKind: 'user', recordId })).toEqual([id])
  })

  it('names those whom the audit log or its file shows, and the actor', async () => {
    const shown = await named(listAudit, { action: 'user.approve' })
    const told = JSON.stringify((await maru.call(listAudit, { action: 'user.approve' }, admin)).data.rows)
    const listed = [...people, admin].filter(({ userId }) => told.includes(userId)).map(({ id }) => id)
    expect(shown.toSorted()).toEqual(listed.toSorted())
    const input = { action: 'user.approve', format: 'csv', reason: '점검', password: '' } as const
    expect((await named(exportAudit, input)).toSorted()).toEqual(shown.toSorted())
  })

  it('names the first three and the actor in the log, and all users in the detail', async () => {
    const filter = { actor: hr.userId, action: 'listUsers' } as const
    const shown = await named(listAccess, filter)
    expect(shown).toHaveLength(4)
    expect((await named(exportAccess, { ...filter, format: 'csv', reason: '점검' })).toSorted()).toEqual(
      shown.toSorted(),
    )
    const [row] = (await maru.call(listAccess, filter, admin)).data.rows
    expect(await named(getAccess, { accessId: row?.accessId ?? '' })).toHaveLength(31)
  })

  it('names the reader alone on their own page and in the file of their own data', async () => {
    const [one = expect.unreachable()] = people
    await sql(`update users set approval_code = 'MEMAP001' where id = $1`, [one.id])
    expect((await maru.call(listOwnAccess, {}, one)).data.rows).not.toEqual([])
    expect(await named(listOwnAccess, {}, one)).toEqual([one.id])
    await maru.call(checkPassword, { password: PASSWORD }, one)
    expect(await named(exportOwnData, {}, one)).toEqual([one.id])
  })

  it('names the users on a page of requests, one applicant, and no one for none', async () => {
    expect(await named(listRequests, { perPage: 10 })).toHaveLength(10)
    const [, two = expect.unreachable()] = people
    expect(await named(listRequestsOfUser, { userId: two.userId })).toEqual([two.id])
    expect(await named(listAllPrograms, {})).toEqual([])
  })
})
