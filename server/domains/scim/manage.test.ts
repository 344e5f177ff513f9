import { beforeAll, describe, expect, test } from 'vitest'
import { listNotifications } from '../../../contract/notifications.ts'
import {
  adoptAccounts,
  createScimToken,
  endScimToken,
  getScim,
  releaseScim,
  updateScim,
} from '../../../contract/scim.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { scimOf } from '../../../dev/test-kit/scim.ts'

/* Tokens, adoption and the limit of a provider (rules/scim). */

const maru = useMaru()
const { sql, client, addProvider } = scimOf(maru)
type Provider = Awaited<ReturnType<typeof addProvider>>
let count = 0
let provider: Provider
beforeAll(async () => {
  provider = await addProvider('first')
})

const bodyOf = (userName: string, more: object = {}) => ({
  userName,
  externalId: `id-${userName}`,
  displayName: '홍길동',
  ...more,
})
async function create({ scim }: Provider, userName = `member${(count += 1)}@gana.kr`) {
  const { status, json } = await scim('POST', '/Users', bodyOf(userName))
  expect(status).toBe(201)
  return String(json.id)
}
const state = async ({ providerId, admin }: Provider) =>
  (await maru.call(getScim, { providerId }, admin)).data
const deactivate = { Operations: [{ op: 'replace', value: { active: false } }] }

describe('tokens', () => {
  test('are at most two, are returned once and stored as a hash (rules/scim#tokens)', async () => {
    const { providerId, admin, token } = await addProvider('tokens')
    const second = (await maru.call(createScimToken, { providerId }, admin)).data.scimToken
    expect(second).toMatch(/^maru-scim-[\w-]{43}$/)
    expect((await maru.call(createScimToken, { providerId }, admin)).code).toBe('SCIM_TOKENS_FULL')
    for (const each of [token, second]) expect((await client(each)('GET', '/Users')).status).toBe(200)
    const { tokens } = (await maru.call(getScim, { providerId }, admin)).data
    expect(tokens).toMatchObject([
      { createdBy: admin.userId, lastUsedAt: expect.stringMatching(/^\d/) },
      { createdBy: admin.userId, lastUsedAt: expect.stringMatching(/^\d/) },
    ])
    const [dump] = await sql(`select string_agg(t::text, '') as all from scim_tokens t`)
    expect(dump?.['all']).not.toContain(second)
    const tokenId = tokens[0]?.tokenId ?? ''
    expect((await maru.call(endScimToken, { providerId, tokenId }, admin)).status).toBe(200)
    expect((await maru.call(endScimToken, { providerId, tokenId }, admin)).code).toBe('SCIM_TOKEN_NOT_FOUND')
    expect((await client(token)('GET', '/Users')).status).toBe(401)
    expect((await client(second)('GET', '/Users')).status).toBe(200)
    expect((await maru.call(createScimToken, { providerId }, admin)).status).toBe(200)
  })

  test('need an affiliation for new accounts, and administrators (rules/scim#tokens)', async () => {
    const { providerId, admin } = await addProvider('affiliation')
    await sql('update identity_providers set scim_affiliation_code = null where id = $1', [providerId])
    expect((await maru.call(createScimToken, { providerId }, admin)).code).toBe('SCIM_AFFILIATION_REQUIRED')
    expect((await maru.call(updateScim, { providerId, affiliationCode: 'BEL999' }, admin)).code).toBe(
      'CODE_NOT_FOUND',
    )
    const keeper = await maru.createUser({ role: 'hr' })
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT970', '설정', 'Settings', 970)`,
    )
    await sql(`insert into role_functions values ('AUT970', 'autho_setting_manage')`)
    await sql(`update users set role_code = 'AUT970' where id = $1`, [keeper.id])
    for (const [endpoint, input] of [
      [createScimToken, { providerId }],
      [updateScim, { providerId, affiliationCode: 'BEL001' }],
      [releaseScim, { providerId }],
    ] as const)
      expect((await maru.callRaw(endpoint.path, input, keeper)).code).toBe('ADMIN_REACH_REQUIRED')
  })

  test('are not ended with the ID of another provider (rules/scim#tokens)', async () => {
    const [one, other] = [await addProvider('one'), await addProvider('other')]
    const tokenId = (await state(other)).tokens[0]?.tokenId ?? ''
    const { code } = await maru.call(endScimToken, { providerId: one.providerId, tokenId }, one.admin)
    expect(code).toBe('SCIM_TOKEN_NOT_FOUND')
  })
})

describe('adoption', () => {
  test('lets a provider manage an account after an administrator confirmed it (rules/scim#adoption)', async () => {
    const person = await maru.createUser({ email: 'adopted@gana.kr', name: '김연결' })
    const refused = await provider.scim('POST', '/Users', bodyOf('Adopted@gana.kr'))
    expect(refused).toMatchObject({ status: 409, json: { scimType: 'uniqueness' } })
    const probe = `/Users?filter=${encodeURIComponent('userName eq "adopted@gana.kr"')}`
    expect((await provider.scim('GET', probe)).json.totalResults).toBe(0)
    const [candidate] = (await state(provider)).candidates
    expect(candidate).toMatchObject({
      userId: person.userId,
      name: '김연결',
      scimName: 'Adopted@gana.kr',
      privileged: false,
    })
    const input = { providerId: provider.providerId, candidateIds: [candidate?.candidateId ?? ''] }
    expect((await maru.call(adoptAccounts, input, provider.admin)).data).toEqual({ adoptedCount: 1 })
    const { json } = await provider.scim('GET', probe)
    expect(json.Resources).toMatchObject([
      { id: person.id, displayName: '김연결', emails: [{ value: 'adopted@gana.kr' }], active: true },
    ])
    expect((await state(provider)).candidates).toEqual([])
    // Nothing is linked for single sign-on: the owner does that.
    expect(await sql('select 1 from identities where user_id = $1', [person.id])).toEqual([])
    expect((await provider.scim('PATCH', `/Users/${person.id}`, deactivate)).status).toBe(200)
    expect(await sql('select suspended_for from users where id = $1', [person.id])).toEqual([
      { suspended_for: 'OTHER' },
    ])
    expect((await maru.call(adoptAccounts, input, provider.admin)).code).toBe('SCIM_CANDIDATE_NOT_FOUND')
  })

  test('is not possible for a privileged account, whenever it became one (rules/scim#adoption)', async () => {
    const hr = await maru.createUser({ role: 'hr', email: 'hr@gana.kr' })
    await maru.createUser({ email: 'later@gana.kr' })
    for (const name of ['hr@gana.kr', 'later@gana.kr'])
      expect((await provider.scim('POST', '/Users', bodyOf(name))).status).toBe(409)
    const { candidates } = await state(provider)
    expect(candidates.map(({ email }) => email)).toEqual(['later@gana.kr'])
    const later = candidates[0]?.candidateId ?? ''
    await sql(`update users set role_code = 'AUT002' where id = $1`, [later])
    expect((await state(provider)).candidates).toMatchObject([{ privileged: true }])
    for (const id of [later, hr.id]) {
      const { code } = await maru.call(
        adoptAccounts,
        { providerId: provider.providerId, candidateIds: [id] },
        provider.admin,
      )
      expect(code).toBe('SCIM_CANDIDATE_NOT_FOUND')
    }
  })

  test('never takes an account from another provider (rules/scim#adoption)', async () => {
    const [owner, other] = [await addProvider('owner'), await addProvider('taker')]
    await create(owner, 'owned@gana.kr')
    expect((await other.scim('POST', '/Users', bodyOf('owned@gana.kr'))).status).toBe(409)
    expect((await state(other)).candidates).toEqual([])
  })

  test('is offered for the person who linked the account (rules/scim#adoption)', async () => {
    const person = await maru.createUser({ email: 'linked@gana.kr' })
    await sql('insert into identities (provider_id, subject, user_id) values ($1, $2, $3)', [
      provider.providerId,
      'id-other-address@gana.kr',
      person.id,
    ])
    expect((await provider.scim('POST', '/Users', bodyOf('other-address@gana.kr'))).status).toBe(409)
    expect((await state(provider)).candidates.map(({ userId }) => userId)).toContain(person.userId)
  })
})

describe('the limit', () => {
  test('stops mass suspensions until an administrator lets them go on (rules/scim#limit)', async () => {
    const mass = await addProvider('mass')
    const ids = await Promise.all(Array.from({ length: 24 }, () => create(mass)))
    const suspend = (id: string) => mass.scim('PATCH', `/Users/${id}`, deactivate)
    const first = await Promise.all(ids.slice(0, 22).map(suspend))
    const statuses = first.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429, 429])
    const refused = first.find(({ status }) => status === 429)
    expect(refused?.headers['retry-after']).toBe('3600')
    expect((await mass.scim('DELETE', `/Users/${ids[23]}`)).status).toBe(429)
    // Creating and changing goes on.
    await create(mass)
    expect((await state(mass)).stoppedAt).not.toBe('')
    const { notifications } = (await maru.call(listNotifications, {}, mass.admin)).data
    expect(notifications.filter(({ kind }) => kind === 'SCIM_STOPPED')).toMatchObject([
      { providerName: 'mass' },
    ])
    expect(
      await sql(`select count(*)::int as n from audit_log where action = 'scim.stop' and target = 'mass'`),
    ).toEqual([{ n: 1 }])

    expect((await maru.call(releaseScim, { providerId: mass.providerId }, mass.admin)).status).toBe(200)
    expect((await maru.call(releaseScim, { providerId: mass.providerId }, mass.admin)).code).toBe(
      'SCIM_NOT_STOPPED',
    )
    const rest = await Promise.all([
      ...ids.slice(20, 23).map(suspend),
      mass.scim('DELETE', `/Users/${ids[23]}`),
    ])
    expect(rest.map(({ status }) => status)).toEqual([200, 200, 200, 204])
  })

  test('is a tenth of the accounts of a large provider (rules/scim#limit)', async () => {
    const large = await addProvider('large')
    const id = await create(large)
    await sql('insert into scim_endings (provider_id) select $1 from generate_series(1, 20)', [
      large.providerId,
    ])
    await sql(
      `with made as (
        insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
        select 'large' || n, '', 'n', '', '', 'large' || n || '@gana.kr', 'BEL001', 'AUT003', 'MEMAP001' from generate_series(1, 220) n returning id)
      insert into scim_users (user_id, provider_id, user_name, is_made, created_at)
        select id, $1, 'large' || id, true, now() - interval '2 days' from made`,
      [large.providerId],
    )
    const toggle = async (active: boolean) =>
      (await large.scim('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', value: { active } }] }))
        .status
    // 10 % of 220 accounts are 22: the new one does not count.
    expect([
      await toggle(false),
      await toggle(true),
      await toggle(false),
      await toggle(true),
      await toggle(false),
    ]).toEqual([200, 200, 200, 200, 429])
  })
})
