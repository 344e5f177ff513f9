import { beforeAll, describe, expect, test } from 'vitest'
import { EVENTS_AT_ONCE, listEvents } from '../../../contract/events.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let admin: TestUser
beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
})

const INSERT = `insert into audit_log (action, target, address, request_id) values ('team.create', '', '', '') returning id`
const happen = async () => (await maru.database.pool.query<{ id: string }>(INSERT)).rows[0]?.id ?? ''

const read = async (after: string) => {
  const answer = await maru.call(listEvents, { afterId: after }, admin)
  expect(answer.status, answer.raw).toBe(200)
  return answer.data
}

describe('reading events (rules/events#pull)', () => {
  test('begins with the newest, and goes on after the last one', async () => {
    await happen()
    const { events, lastEventId } = await read('')
    expect(events).toEqual([])
    const ids = [await happen(), await happen()]
    const next = await read(lastEventId)
    expect(next.events.map(({ eventId }) => eventId)).toEqual(ids)
    expect(next.lastEventId).toBe(ids[1])
    expect(await read(next.lastEventId)).toEqual({ events: [], lastEventId: ids[1] })
  })

  test('returns up to 100 events, oldest first, from the beginning', async () => {
    await maru.database.pool.query(
      `insert into audit_log (action, target, address, request_id) select 'team.create', '', '', '' from generate_series(1, 150)`,
    )
    const all: string[] = []
    for (let after = '0', last = ''; after !== last;) {
      last = after
      const page = await read(after)
      expect(page.events.length).toBeLessThanOrEqual(EVENTS_AT_ONCE)
      all.push(...page.events.map(({ eventId }) => eventId))
      after = page.lastEventId
    }
    const { rows } = await maru.database.pool.query<{ id: string }>('select id from audit_log order by id')
    expect(all).toEqual(rows.map(({ id }) => id))
  })

  test('does not skip an event that commits after a later one', async () => {
    const { lastEventId } = await read('')
    const slow = await maru.database.pool.connect()
    await slow.query('begin')
    const first = (await slow.query<{ id: string }>(INSERT)).rows[0]?.id
    const second = await happen()
    expect(Number(second)).toBeGreaterThan(Number(first))
    // The transaction lasts longer than the call waits.
    expect(await read(lastEventId)).toEqual({ events: [], lastEventId })
    const reading = read(lastEventId)
    await slow.query('commit')
    slow.release()
    expect((await reading).events.map(({ eventId }) => eventId)).toEqual([first, second])
  })

  test('is not possible for a branch role', async () => {
    await maru.owner.query(
      `insert into roles (code, group_name, name_en, sort_order, span) values ('AUT971', '지점', 'Branch', 9, 'branch')`,
    )
    await maru.owner.query(
      `insert into role_functions (role_code, function_name) select 'AUT971', unnest(array['autho_user_manage'])`,
    )
    const branch = await maru.createUser()
    await maru.owner.query(`update users set role_code = 'AUT971' where id = $1`, [branch.id])
    expect((await maru.call(listEvents, { afterId: '0' }, branch)).code).toBe('FORBIDDEN')
  })
})
