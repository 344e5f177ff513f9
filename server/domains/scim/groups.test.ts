import { beforeAll, describe, expect, test } from 'vitest'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { scimOf } from '../../../dev/test-kit/scim.ts'

/* Groups by SCIM, with the requests that Entra and Okta send (rules/scim#groups). */

const maru = useMaru()
const { sql, addProvider } = scimOf(maru)
type Provider = Awaited<ReturnType<typeof addProvider>>
let entra: Provider
let other: Provider
let people: string[]
beforeAll(async () => {
  entra = await addProvider('entra')
  other = await addProvider('other')
  people = await createMany(entra, 'person', 5)
})

/** Creates accounts that a provider manages, in the database. @returns their IDs */
async function createMany({ providerId }: Provider, name: string, many: number): Promise<string[]> {
  const rows = await sql(
    `with made as (
      insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
      select $2 || n, '', $2 || n, '', '', $2 || n || '@gana.kr', 'BEL001', 'AUT003', 'MEMAP001' from generate_series(1, $3::int) n
      returning id, login_id)
    insert into scim_users (user_id, provider_id, user_name, is_made) select id, $1, login_id, true from made returning user_id::text`,
    [providerId, name, many],
  )
  return rows.map((row) => String(row['user_id']))
}
let count = 0
const create = async (members: string[] = [], { scim } = entra) => {
  const displayName = `Group ${(count += 1)}`
  const { status, json } = await scim('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    externalId: `g-${count}`,
    displayName,
    members: members.map((value) => ({ value })),
  })
  expect(status).toBe(201)
  return { id: String(json.id), displayName }
}
const patch = (id: string, Operations: unknown, { scim } = entra) =>
  scim('PATCH', `/Groups/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
const membersOf = async (id: string) => {
  const { json } = await entra.scim('GET', `/Groups/${id}`)
  return (json.members as { value: string }[]).map(({ value }) => value)
}
const list = async (filter: string, more = '') =>
  (await entra.scim('GET', `/Groups?filter=${encodeURIComponent(filter)}${more}`)).json

describe('a group', () => {
  test('is created with members, is found and shown with its users (rules/scim#groups)', async () => {
    const [first = '', second = ''] = people
    const { id, displayName } = await create([first, second])
    const { json, status } = await entra.scim('GET', `/Groups/${id}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id,
      displayName,
      members: [
        { value: first, display: 'person1', type: 'User' },
        { value: second, display: 'person2' },
      ],
      meta: { resourceType: 'Group' },
    })
    expect((await entra.scim('GET', `/Users/${first}`)).json.groups).toMatchObject([
      { value: id, display: displayName },
    ])
    for (const filter of [
      `displayName eq "${displayName.toUpperCase()}"`,
      `externalId eq "${json.externalId}"`,
      `id eq "${id}" and members eq "${first}"`,
      `id eq "${id}" and members[value eq "${first}"]`,
    ])
      expect((await list(filter)).totalResults, filter).toBe(1)
    expect((await list(`id eq "${id}" and members eq "${people[4]}"`)).totalResults).toBe(0)
    const [bare] = (await list(`id eq "${id}"`, '&excludedAttributes=members')).Resources
    expect(bare).not.toHaveProperty('members')
    const [entry] = await sql(
      `select detail, actor_id from audit_log where action = 'scim.group' order by id desc limit 1`,
    )
    expect(entry).toMatchObject({ actor_id: null, detail: { providerName: 'entra', rows: 2 } })
  })

  test('takes the members that Entra and Okta add and remove (rules/scim#groups)', async () => {
    const [a = '', b = '', c = '', d = ''] = people
    const { id } = await create([a])
    const after = async (operations: unknown, members: string[]) => {
      expect((await patch(id, operations)).status).toBe(204)
      expect(await membersOf(id)).toEqual(members)
    }
    await after([{ op: 'Add', path: 'members', value: [{ value: b }, { value: c }] }], [a, b, c])
    await after([{ op: 'Remove', path: 'members', value: [{ value: b }] }], [a, c])
    await after([{ op: 'remove', path: `members[value eq "${a}"]` }], [c])
    await after(
      [
        { op: 'add', path: 'members', value: { value: d } },
        { op: 'remove', path: 'members', value: [{ value: c }] },
      ],
      [d],
    )
    await after([{ op: 'replace', path: 'members', value: [{ value: a }, { value: a }] }], [a])
    await after([{ op: 'replace', value: { id, displayName: `Renamed ${id}` } }], [a])
    await after([{ op: 'Replace', value: { members: [{ value: b }] } }], [b])
    await after([{ op: 'remove', path: 'members' }], [])
    expect((await entra.scim('GET', `/Groups/${id}`)).json.displayName).toBe(`Renamed ${id}`)
  })

  test('takes 1,000 members in one PATCH (rules/scim#groups)', async () => {
    const many = await createMany(entra, 'mass', 1000)
    const { id } = await create()
    expect(
      (await patch(id, [{ op: 'Add', path: 'members', value: many.map((value) => ({ value })) }])).status,
    ).toBe(204)
    expect(await membersOf(id)).toHaveLength(1000)
    const each = many.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` }))
    expect((await patch(id, each)).status).toBe(204)
    expect(await membersOf(id)).toEqual([])
  })

  test('ignores members of other providers and unknown ones (rules/scim#groups)', async () => {
    const [foreign = ''] = await createMany(other, 'foreign', 1)
    const [own = ''] = people
    const { id } = await create()
    const value = [
      own,
      foreign,
      '99999999999',
      '999999999999999999999',
      'x',
      '',
      null,
      {},
      { value: {} },
    ].map((each) => ({ value: each }))
    expect((await patch(id, [{ op: 'add', path: 'members', value }])).status).toBe(204)
    expect(await membersOf(id)).toEqual([own])
  })

  test('is replaced and deleted (rules/scim#groups)', async () => {
    const [a = '', b = ''] = people
    const { id } = await create([a])
    const { status, json } = await entra.scim('PUT', `/Groups/${id}`, {
      displayName: `Put ${id}`,
      members: [{ value: b }],
    })
    expect([status, json.displayName]).toEqual([200, `Put ${id}`])
    expect(await membersOf(id)).toEqual([b])
    expect((await entra.scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await entra.scim('GET', `/Groups/${id}`)).status).toBe(404)
  })

  test('belongs to its provider (rules/scim#groups)', async () => {
    const { id, displayName } = await create()
    expect((await other.scim('GET', `/Groups/${id}`)).status).toBe(404)
    expect((await patch(id, [{ op: 'replace', path: 'displayName', value: 'x' }], other)).status).toBe(404)
    expect((await other.scim('DELETE', `/Groups/${id}`)).status).toBe(404)
    const again = { displayName: displayName.toUpperCase() }
    expect(await entra.scim('POST', '/Groups', again)).toMatchObject({
      status: 409,
      json: { scimType: 'uniqueness' },
    })
    expect((await other.scim('POST', '/Groups', again)).status).toBe(201)
  })

  test.each([
    ['no name', {}, 'invalidValue'],
    ['a list as its name', { displayName: [] }, 'invalidValue'],
    ['an empty name', { displayName: ' ' }, 'invalidValue'],
  ])('is refused with %s (rules/scim#errors)', async (_, body, scimType) => {
    expect(await entra.scim('POST', '/Groups', body)).toMatchObject({ status: 400, json: { scimType } })
  })

  test.each([
    ['__proto__', 'invalidPath'],
    ['constructor', 'invalidPath'],
    ['salary', 'invalidPath'],
    ['id', 'mutability'],
  ])('is refused a change of %s (rules/scim#errors)', async (path, scimType) => {
    const { id } = await create()
    expect(await patch(id, [{ op: 'add', path, value: 'x' }])).toMatchObject({
      status: 400,
      json: { scimType },
    })
    const body =
      '{"Operations":[{"op":"add","value":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}]}'
    expect((await entra.scim('PATCH', `/Groups/${id}`, body)).status).toBe(204)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test.each(['/Groups', '/Groups/1', '/Groups/x'])(
    'answers any request at %s without a 500 (rules/scim#errors)',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
        for (const body of [
          undefined,
          '[]',
          '7',
          '{"displayName":{"a":1},"members":"x"}',
          '{"Operations":[{"op":"add","path":"members","value":7}]}',
        ])
          expect((await entra.scim(method, path, body)).status, `${method} ${path} ${body}`).toBeLessThan(500)
    },
  )
})
