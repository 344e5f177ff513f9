import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { logout } from '../../../contract/account.ts'
import { API_BASE, SESSION_HEADER, SESSION_USE_HEADER } from '../../../contract/envelope.ts'
import { getAuthority } from '../../../contract/common.ts'
import { getToDo } from '../../../contract/home.ts'
import { listNotices } from '../../../contract/notices.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import { countUnreadNotifications, NOTIFICATION_STREAM_PATH } from '../../../contract/notifications/count.ts'
import { listUsers } from '../../../contract/users.ts'
import { createApp } from '../../app.ts'
import { createLog } from '../../log.ts'
import { notify } from '../../records/notifications.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'

/* "Something is new", on whichever server (rules/notifications#live). */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

async function streamOf(app: FastifyInstance, session?: string, headers: Record<string, string> = {}) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const sent = { ...headers, ...(session !== undefined && { [SESSION_HEADER]: session }) }
  const path = API_BASE + NOTIFICATION_STREAM_PATH
  const request = get({ host: '127.0.0.1', port, path, headers: sent, agent: false })
  onTestFinished(() => void request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const said = { text: '', isOver: false }
  response.on('data', (part: Buffer) => (said.text += part.toString()))
  response.on('error', () => {}).on('close', () => (said.isOver = true))
  const events = () => said.text.split('data: new').length - 1
  return { response, said, events, begins: () => expect.poll(() => said.text).not.toBe('') }
}

const lastUse = async (id: string) =>
  (await sql('select last_used_at from sessions where user_id = $1', [id])).rows[0] as { lastUsedAt: Date }

test('sends an event without content, across servers, only to those concerned', async () => {
  const twin = await maru.startTwin()
  const [person, other, admin] = [
    await maru.createUser(),
    await maru.createUser(),
    await maru.createUser({ role: 'admin' }),
  ]
  await sql(`update sessions set last_used_at = now() - interval '5 minutes' where user_id = $1`, [person.id])
  const used = await lastUse(person.id)
  const own = await streamOf(twin.app, person.session)
  const [others, admins] = [await streamOf(maru.app, other.session), await streamOf(maru.app, admin.session)]
  expect(own.response.headers['content-type']).toContain('text/event-stream')
  expect(own.response.headers['x-accel-buffering']).toBe('no')
  for (const stream of [own, others, admins]) await stream.begins()

  await notify(maru.database.db, { kind: 'ACCOUNT_APPROVED', userId: person.id })
  await expect.poll(own.events).toBe(1)
  await maru.createUser({ asked: true })
  await expect.poll(admins.events).toBe(1)
  await sql(
    `insert into notices (bullet_code, title, author_id, must_read) values ('BE0001', '공지', $1, true)`,
    [admin.id],
  )
  await expect.poll(others.events).toBe(1)
  await expect.poll(own.events).toBe(2)
  await sql(`insert into factor_resets (user_id, asked_by, reason) values ($1, $2, '-')`, [
    other.id,
    admin.id,
  ])
  await expect.poll(admins.events).toBe(3)
  expect(own.events()).toBe(2)
  expect(own.said.text.replaceAll('data: new\n\n', '').replaceAll(':\n\n', '')).toBe('')

  // Neither the stream nor the count that it leads to is a use of the session.
  await maru.call(countUnreadNotifications, {}, person)
  expect(await lastUse(person.id)).toEqual(used)
})

test('tells people of another company of no notice of others (rules/affiliations#external)', async () => {
  await sql(`update codes set is_external = true where code = 'BEL006'`)
  onTestFinished(() => void sql(`update codes set is_external = false`))
  for (const table of ['notices', 'notifications']) await sql(`delete from ${table}`)
  const [inside, outside] = [await maru.createUser(), await maru.createUser({ affiliation: 'BEL006' })]
  const [insides, outsides] = [
    await streamOf(maru.app, inside.session),
    await streamOf(maru.app, outside.session),
  ]
  for (const stream of [insides, outsides]) await stream.begins()
  const write = (audience: string[] | null) =>
    sql(
      `insert into notices (bullet_code, title, author_id, audience_affiliations) values ('BE0001', '공지', $1, $2)`,
      [inside.id, audience],
    )
  await write(null)
  await expect.poll(insides.events).toBe(1)
  expect(outsides.events()).toBe(0)
  await write(['BEL006'])
  await expect.poll(outsides.events).toBe(1)
})

test('reports each published notice and each decided request, and nothing of before', async () => {
  const [person, admin] = [await maru.createUser(), await maru.createUser({ role: 'admin' })]
  const write = (at: string) =>
    sql(
      `insert into notices (bullet_code, title, author_id, published_at) values ('BE0001', '공지', $1, now() + $2)`,
      [admin.id, at],
    )
  const applicant = await maru.createUser({ asked: true })
  await sql(`update approval_requests set requested_at = now() - interval '1 hour'`)
  for (const table of ['notices', 'notifications', 'factor_resets']) await sql(`delete from ${table}`)
  const [own, admins] = [await streamOf(maru.app, person.session), await streamOf(maru.app, admin.session)]
  for (const stream of [own, admins]) await stream.begins()

  await write('1 hour')
  await write('2 seconds')
  await expect.poll(own.events).toBe(1)
  await sql(
    `update approval_requests set state = 'approved', decided_at = now(), decided_by = $2 where user_id = $1`,
    [applicant.id, admin.id],
  )
  await expect.poll(admins.events).toBe(2)
  expect(own.events()).toBe(1)

  // The page may have read its data before the notice, and learns of it when it connects.
  const later = await streamOf(maru.app, person.session)
  await expect.poll(later.events).toBe(1)
})

test('restarts the idle timer for calls of the user, not for those of the page itself (rules/wire#session-header)', async () => {
  const person = await maru.createUser()
  const background = { session: person.session, headers: { [SESSION_USE_HEADER]: 'background' } }
  await sql(`update sessions set last_used_at = now() - interval '5 minutes' where user_id = $1`, [person.id])
  const used = await lastUse(person.id)
  await maru.call(getToDo, {}, background)
  await maru.call(listNotices, {}, background)
  await maru.call(listNotifications, {}, background)
  expect(await lastUse(person.id)).toEqual(used)
  // No other call lets a program decide that.
  await maru.call(getAuthority, {}, background)
  const after = await lastUse(person.id)
  expect(after).not.toEqual(used)
  await sql(`update sessions set last_used_at = now() - interval '5 minutes' where user_id = $1`, [person.id])
  await maru.call(getToDo, {}, person)
  const last = await lastUse(person.id)
  expect([used, after]).not.toContainEqual(last)
})

test('limits streams per user without using slots of the calls', async () => {
  const person = await maru.createUser({ role: 'hr' })
  for (let i = 0; i < 8; i += 1)
    expect((await streamOf(maru.app, person.session)).response.statusCode).toBe(200)
  const ninth = await streamOf(maru.app, person.session)
  expect(ninth.response.statusCode).toBe(429)
  expect(ninth.response.headers['retry-after']).toBe('60')
  expect(await maru.call(listUsers, {}, person)).toMatchObject({ status: 200 })
})

test('requires a session for a stream and ends it with the session', async () => {
  expect((await streamOf(maru.app)).response.statusCode).toBe(401)
  expect((await streamOf(maru.app, 'made-up')).response.statusCode).toBe(401)
  const person = await maru.createUser()
  const foreign = await streamOf(maru.app, person.session, { 'Sec-Fetch-Site': 'cross-site' })
  expect(foreign.response.statusCode).toBe(403)

  const { database, services } = maru
  const app = await createApp({ database, services, logger: createLog('silent'), sessionCheckMs: 50 })
  onTestFinished(() => app.close())
  const withdrawn = await maru.createUser()
  const [one, two] = [await streamOf(app, person.session), await streamOf(app, withdrawn.session)]
  await maru.call(logout, {}, person)
  await expect.poll(() => one.said.isOver).toBe(true)
  expect(two.said.isOver).toBe(false)
  await sql('update users set withdrawn_at = now() where id = $1', [withdrawn.id])
  await expect.poll(() => two.said.isOver).toBe(true)
})

test('ends its streams immediately when a server stops', async () => {
  const { database, services } = maru
  const app = await createApp({ database, services, logger: createLog('silent') })
  const { session } = await maru.createUser()
  const stream = await streamOf(app, session)
  await stream.begins()
  // Closing waits for open responses, and no session check ends the stream.
  await app.close()
  await expect.poll(() => stream.said.isOver).toBe(true)
})
