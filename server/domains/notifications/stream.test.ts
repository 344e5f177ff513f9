import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { logout } from '../../../contract/account.ts'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import { countUnreadNotifications, NOTIFICATION_STREAM_PATH } from '../../../contract/notifications/count.ts'
import { listUsers } from '../../../contract/users.ts'
import { createApp } from '../../app.ts'
import { createLog } from '../../log.ts'
import { notify } from '../../services/notifications.ts'
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
  return { response, said, events: () => said.text.split('data: new').length - 1 }
}

const lastUse = async (id: string) =>
  (await sql('select last_used_at from sessions where user_id = $1', [id])).rows[0] as { last_used_at: Date }

test('a stream says that there is something new to whom it concerns and to nobody else, across servers, and nothing more', async () => {
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
  for (const stream of [own, others, admins]) await expect.poll(stream.events).toBe(1)

  await notify(maru.database.db, { kind: 'ACCOUNT_APPROVED', userId: person.id })
  await expect.poll(own.events).toBe(2)
  await maru.createUser({ asked: true })
  await expect.poll(admins.events).toBe(2)
  await sql(
    `insert into notices (bullet_code, title, author_id, must_read) values ('BE0001', '공지', $1, true)`,
    [admin.id],
  )
  await expect.poll(others.events).toBe(2)
  await expect.poll(own.events).toBe(3)
  expect(own.said.text.replaceAll('data: new\n\n', '').replaceAll(':\n\n', '')).toBe('')

  // Neither the stream nor the count that it leads to is a use of the session.
  await maru.call(countUnreadNotifications, {}, person)
  expect(await lastUse(person.id)).toEqual(used)
})

test('streams take no turn of the calls, and one person has no more than a few', async () => {
  const person = await maru.createUser({ role: 'hr' })
  for (let i = 0; i < 8; i += 1)
    expect((await streamOf(maru.app, person.session)).response.statusCode).toBe(200)
  const ninth = await streamOf(maru.app, person.session)
  expect(ninth.response.statusCode).toBe(429)
  expect(ninth.response.headers['retry-after']).toBe('60')
  expect(await maru.call(listUsers, {}, person)).toMatchObject({ status: 200 })
})

test('a stream needs a session, and ends with it', async () => {
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

test('a server that stops ends its streams at once', async () => {
  const { database, services } = maru
  const app = await createApp({ database, services, logger: createLog('silent') })
  const { session } = await maru.createUser()
  const stream = await streamOf(app, session)
  await expect.poll(stream.events).toBe(1)
  // It waits for what is open, and no session that is looked at ends it.
  await app.close()
  await expect.poll(() => stream.said.isOver).toBe(true)
})
