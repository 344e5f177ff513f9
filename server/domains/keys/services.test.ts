import { beforeAll, describe, expect, test } from 'vitest'
import { createService, listServices, revokeService, rollService, verifyKey } from '../../../contract/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

let admin: TestUser
beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
})

const ask = (token: string) => maru.call(verifyKey, { issuedKey: 'x' }, { token })

async function make(serviceName: string) {
  const { data } = await maru.call(createService, { serviceName }, admin)
  return { id: data.serviceId, token: data.serviceToken }
}
const roll = async (serviceId: string, overlapDays?: number) =>
  (await maru.call(rollService, { serviceId, overlapDays }, admin)).data.serviceToken
const listed = async (id: string) =>
  (await maru.call(listServices, {}, admin)).data.services.find(({ serviceId }) => serviceId === id)
const daysOf = async (id: string) =>
  (
    await sql(
      'select round(extract(epoch from expires_at - now()) / 86400)::int as n from service_tokens where id = $1',
      [id],
    )
  )[0].n

const uses = () => sql('select last_used_at from service_tokens order by id')

/** A token that is worth nothing leaves no mark of use. */
async function expectDead(token: string): Promise<void> {
  const before = await uses()
  expect(await ask(token)).toMatchObject({ status: 401, code: 'SERVICE_TOKEN_REQUIRED' })
  expect(await uses()).toEqual(before)
}

describe('services and their tokens (rules/keys#services, design/keys#derived-keys)', () => {
  test('shows a token once, stores its hash and frees its name on revocation', async () => {
    const made = await maru.call(createService, { serviceName: '지도 서비스' }, admin)
    const { serviceToken: token, serviceId } = made.data
    expect(token).toMatch(/^maru-service-[\w-]{43}$/)
    expect((await ask(token)).status).toBe(200)

    const { rows } = await maru.database.pool.query('select s::text as row from service_tokens s')
    expect(JSON.stringify(rows)).not.toContain(token)
    const list = await maru.call(listServices, {}, admin)
    expect(list.raw).not.toContain(token)
    expect(list.data.services.find((row) => row.serviceId === serviceId)).toMatchObject({
      serviceName: '지도 서비스',
      createdBy: admin.userId,
      lastUsedAt: expect.stringMatching(/^\d{4}-/),
      revokedAt: '',
    })
    const twice = await maru.call(createService, { serviceName: '지도 서비스' }, admin)
    expect(twice.code).toBe('SERVICE_NAME_TAKEN')

    expect((await maru.call(revokeService, { serviceId }, admin)).status).toBe(200)
    expect((await ask(token)).code).toBe('SERVICE_TOKEN_REQUIRED')
    expect((await maru.call(revokeService, { serviceId }, admin)).code).toBe('SERVICE_NOT_FOUND')
    const again = await maru.call(createService, { serviceName: '지도 서비스' }, admin)
    expect(again.data.serviceToken).not.toBe(token)
  })

  test('expire after 180 days or as chosen, then verify nothing and free their name', async () => {
    const { id, token } = await make('만료 서비스')
    expect(await daysOf(id)).toBe(180)
    expect((await ask(token)).status).toBe(200)
    await sql(`update service_tokens set expires_at = now() + interval '13 days' where id = $1`, [id])
    expect((await listed(id))?.state).toBe('soon')
    await sql(
      `update service_tokens set expires_at = now() - interval '1 second', last_used_at = null where id = $1`,
      [id],
    )
    await expectDead(token)
    expect(await listed(id)).toMatchObject({ state: 'expired', revokedAt: '', lastUsedAt: '' })
    for (const call of [rollService, revokeService])
      expect((await maru.call(call, { serviceId: id }, admin)).code).toBe('SERVICE_NOT_FOUND')
    const again = await make('만료 서비스')
    expect((await ask(again.token)).status).toBe(200)
    expect((await listed(id))?.state).toBe('expired')
    for (const validDays of [0, 366]) {
      const answer = await maru.call(createService, { serviceName: 'x', validDays }, admin)
      expect(answer).toMatchObject({ code: 'INPUT_INVALID', field: 'validDays' })
    }
  })

  test('rotates a token and keeps the previous one valid for the chosen days (rules/keys#token-rollover)', async () => {
    const { id, token } = await make('교체 서비스')
    const second = await roll(id)
    for (const good of [token, second]) expect((await ask(good)).status).toBe(200)
    expect((await listed(id))?.previousUntil).toMatch(/^\d{4}-/)
    await sql(`update service_tokens set previous_until = now() - interval '1 second' where id = $1`, [id])
    await expectDead(token)
    const third = await roll(id, 0)
    await expectDead(second)
    expect((await ask(third)).status).toBe(200)
    await roll(id, 7)
    await maru.call(revokeService, { serviceId: id }, admin)
    await expectDead(third)
    const rows = await sql(
      `select action from audit_log where target = $1 and action ~ '^service' order by id`,
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'service.create',
      'service.roll',
      'service.roll',
      'service.roll',
      'service.revoke',
    ])
  })

  test('keeps a token from before expiries valid, and sets an expiry on rotation', async () => {
    const { id, token } = await maru.createService()
    expect((await ask(token)).status).toBe(200)
    expect(await listed(id)).toMatchObject({ state: 'live', expiresAt: '' })
    const next = await roll(id)
    expect(await daysOf(id)).toBe(180)
    for (const good of [token, next]) expect((await ask(good)).status).toBe(200)
  })

  test('requires autho_service_manage to rotate a token', async () => {
    const { id, token } = await make('남의 서비스')
    const user = await maru.createUser()
    expect((await maru.call(rollService, { serviceId: id }, user)).code).toBe('FORBIDDEN')
    expect((await ask(token)).status).toBe(200)
  })
})
