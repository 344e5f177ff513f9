import { beforeAll, describe, expect, test } from 'vitest'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { scimOf } from '../../../dev/test-kit/scim.ts'

/* Requests of Entra, Okta, OneLogin, Google, JumpCloud and Keycloak, and the corners of RFC 7643 and RFC 7644 (rules/scim). */

const maru = useMaru()
const { sql, addProvider } = scimOf(maru)

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

let entra: Awaited<ReturnType<typeof addProvider>>
beforeAll(async () => {
  entra = await addProvider('entra')
})

let count = 0
const bodyOf = (more: object = {}) => {
  const userName = `user${(count += 1)}@gana.kr`
  return {
    schemas: [USER, ENTERPRISE],
    userName,
    externalId: `id-${userName}`,
    displayName: 'Ann Smith',
    name: { givenName: 'Ann', familyName: 'Smith' },
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
    ...more,
  }
}
const create = async (more: object = {}) => {
  const { status, json } = await entra.scim('POST', '/Users', bodyOf(more))
  expect(status, JSON.stringify(json)).toBe(201)
  return json as { id: string; userName: string; externalId: string }
}
const read = async (path: string) => (await entra.scim('GET', path)).json
const patch = (path: string, Operations: unknown) =>
  entra.scim('PATCH', path, { schemas: [PATCH], Operations })
const column = async (id: string, name: string) =>
  (await sql(`select ${name} as value from users where id = $1`, [id]))[0]?.['value']

describe('discovery', () => {
  test.each(['User', 'Group'])('describes the resource type %s (rules/scim#requests)', async (id) => {
    const { schema, schemaExtensions, endpoint, meta } = await read(`/ResourceTypes/${id}`)
    expect([endpoint, meta.resourceType]).toEqual([`/${id}s`, 'ResourceType'])
    for (const urn of [schema, ...schemaExtensions.map((one: { schema: string }) => one.schema)])
      expect(await read(`/Schemas/${encodeURIComponent(urn)}`)).toMatchObject({
        id: urn,
        meta: { resourceType: 'Schema' },
      })
  })

  test('shows absolute URLs, also without a portal URL (rules/scim#requests)', async () => {
    const { id } = await create()
    const { headers, json } = await entra.scim('GET', `/Users/${id}`, undefined, { host: 'maru.test:8080' })
    expect(json.meta.location).toBe(`http://maru.test:8080/scim/v2/Users/${id}`)
    expect(headers['location']).toBe(json.meta.location)
    for (const time of [json.meta.created, json.meta.lastModified])
      expect(new Date(time).toISOString()).toBe(time)
  })

  test.each([
    ['POST', '/ServiceProviderConfig', 'GET'],
    ['PUT', '/Users', 'GET, POST'],
    ['DELETE', '/Groups', 'GET, POST'],
    ['POST', '/Users/1', 'GET, PUT, PATCH, DELETE'],
  ] as const)('refuses %s %s as a wrong method (rules/scim#errors)', async (method, path, allow) => {
    const { status, headers, json } = await entra.scim(method, path, {})
    expect([status, headers['allow'], json.schemas, json.status]).toEqual([405, allow, [ERROR], '405'])
  })

  test.each(['', '/', '/Me', '/Bulk', '/.search', '/users'])(
    'answers 404 at %s in English (rules/scim#errors)',
    async (path) => {
      const { status, json } = await entra.scim('GET', path, undefined, { 'accept-language': 'ko' })
      expect([status, json.status, json.detail]).toEqual([404, '404', 'This API path does not exist.'])
    },
  )
})

describe('filters', () => {
  test('find a user by every attribute and operator (rules/scim#search)', async () => {
    const { id, userName } = await create({
      title: 'Lead "A" \\ B',
      userType: 'Employee',
      [ENTERPRISE]: { employeeNumber: 'E-1', department: 'R&D' },
    })
    const just = `userName eq "${userName}"`
    const results: [string, boolean][] = [
      [`USERNAME Eq "${userName.toUpperCase()}"`, true],
      [`userName eq "${userName.replace('@', String.raw`\u0040`)}"`, true],
      [String.raw`${just} and title eq "lead \"a\" \\ b"`, true],
      [String.raw`title eq "\\"`, false],
      [`${just} and active eq True`, true],
      [`${just} and not (ACTIVE NE "true")`, true],
      [`${just} and (title pr) and emails.primary eq true`, true],
      [`${just} and nickName pr`, false],
      [`${just} and userName gt "A" and userName le "z"`, true],
      [
        `${just} and meta.lastModified ge "2020-05-13T04:42:34Z" and meta.created lt "2999-01-01T00:00:00Z"`,
        true,
      ],
      [`${just} and meta.created eq "${(await read(`/Users/${id}`)).meta.created}"`, true],
      [`${ENTERPRISE}:employeeNumber eq "e-1"`, true],
      [`${USER}:userType eq "Employee" and ${ENTERPRISE}:department co "&"`, true],
      [`${just} and (userType eq "x" or userType sw "Emp" and userType ew "ee")`, true],
      [`${just} and emails[type eq "work" and value co "gana"]`, true],
      [`${just} and emails[type eq "home"]`, false],
      [`${just} and externalId eq null`, false],
    ]
    for (const [filter, isFound] of results) {
      const { Resources } = await read(`/Users?filter=${encodeURIComponent(filter)}`)
      expect(
        Resources?.map((one: { id: string }) => one.id),
        filter,
      ).toEqual(isFound ? [id] : [])
    }
  })

  test.each([
    ['/Users', 'userName externalId id active emails emails.primary displayName meta.created'],
    ['/Groups', 'displayName externalId id members members.type meta.lastModified'],
  ])('compare at %s with any operator without a 500 (rules/scim#errors)', async (path, names) => {
    for (const name of names.split(' '))
      for (const op of 'eq ne co sw ew gt ge lt le pr'.split(' '))
        for (const value of op === 'pr' ? [''] : ['5', 'null', 'true', '"+275760-09-13T00:00:00.000Z"']) {
          const filter = `${name} ${op} ${value}`
          const { status, json } = await entra.scim('GET', `${path}?filter=${encodeURIComponent(filter)}`)
          expect(status === 200 || json.scimType, filter).toBe(status === 200 || 'invalidFilter')
        }
  })

  test('page within any numbers (rules/scim#search)', async () => {
    for (const [query, size] of [
      ['count=0', 0],
      ['count=-1', 0],
      ['count=99999999999&sortBy=userName&sortOrder=descending', null],
      ['startIndex=99999999999999', 0],
      ['startIndex=-5&startIndex=2', null],
    ] as const) {
      const { itemsPerPage, Resources, totalResults } = await read(`/Users?${query}`)
      expect([itemsPerPage, Resources.length], query).toEqual(Array(2).fill(size ?? totalResults))
    }
    for (const query of ['count=x', 'startIndex=1.5'])
      expect((await read(`/Users?${query}`)).scimType).toBe('invalidValue')
  })

  test('return parts of attributes (rules/scim#search)', async () => {
    const { id } = await create({ [ENTERPRISE]: { employeeNumber: '1', department: 'R&D' } })
    const asked = async (query: string) => {
      const { id: itsId, schemas, ...rest } = await read(`/Users/${id}?${query}`)
      expect([itsId, schemas[0]]).toEqual([id, USER])
      return rest
    }
    expect(await asked(`attributes=NAME.familyName,emails.value,${ENTERPRISE}:department`)).toEqual({
      name: { familyName: 'Smith' },
      emails: [{ value: expect.any(String) }],
      [ENTERPRISE]: { department: 'R&D' },
    })
    const rest = await asked(
      `excludedAttributes=id,meta,emails.type,${USER}:userName,${ENTERPRISE}:department`,
    )
    expect(Object.keys(rest)).not.toEqual(expect.arrayContaining(['meta']))
    expect(rest).toMatchObject({ [ENTERPRISE]: { employeeNumber: '1' } })
    expect(rest.emails[0]).not.toHaveProperty('type')
    expect(rest).not.toHaveProperty('userName')
  })
})

describe('POST and PUT', () => {
  test.each([
    [
      'nulls and empty values',
      { name: null, title: null, phoneNumbers: [], [ENTERPRISE]: null, active: null },
    ],
    [
      'nulls in lists',
      { emails: [null, { value: null }], phoneNumbers: [{ value: '1', type: null, primary: null }] },
    ],
    [
      'unknown attributes and schemas',
      { schemas: [USER, 'urn:x:y:User'], 'urn:x:y:User': { a: 1 }, salary: 1 },
    ],
    ['names in any case', { TITLE: 'Lead', EMAILS: undefined, ACTIVE: 'True' }],
    [
      'attributes that Maru does not keep',
      { roles: [{ value: 'x' }], addresses: [{}], [ENTERPRISE]: { manager: { value: '1' } } },
    ],
    ['10,000 values that are not kept', { roles: Array.from({ length: 10_000 }, () => ({ value: 'x' })) }],
    ['names of prototypes', JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}')],
  ])('accept %s (rules/scim#fields)', async (_, more) => {
    const { id } = await create(more)
    expect((await entra.scim('PUT', `/Users/${id}`, bodyOf(more))).status).toBe(200)
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test.each([
    ['', 'invalidSyntax'],
    ['{', 'invalidSyntax'],
    ['"x"', 'invalidSyntax'],
    ['[]', 'invalidSyntax'],
    [`{"userName":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'invalidSyntax'],
    [`{"userName":"a@gana.kr","title":"${'x'.repeat(10_000)}"}`, 'invalidValue'],
    ['{"userName":"a@gana.kr","externalId":"\\udc00"}', 'invalidValue'],
    ['{"userName":"a@gana.kr","emails":[{"value":"a@gana.kr","type":"\\u0000"}]}', 'invalidValue'],
    ['{"userName":{"value":"a@gana.kr"}}', 'invalidValue'],
  ])('refuse the body %.60s (rules/scim#errors)', async (body, scimType) => {
    const { id } = await create()
    for (const [method, path] of [
      ['POST', '/Users'],
      ['PUT', `/Users/${id}`],
    ] as const)
      expect(await entra.scim(method, path, body)).toMatchObject({
        status: 400,
        json: { schemas: [ERROR], status: '400', scimType, detail: expect.any(String) },
      })
  })

  test('PUT clears what it omits (rules/scim#patch-and-put)', async () => {
    const { id, userName, externalId } = await create({
      title: 'Lead',
      phoneNumbers: [{ value: '010-1234-5678', type: 'mobile' }],
      [ENTERPRISE]: { department: 'R&D' },
    })
    expect(await column(id, 'phone_number')).toBe('01012345678')
    const { status, json } = await entra.scim('PUT', `/Users/${id}`, { userName, id: 'other', externalId })
    expect([status, json.id]).toEqual([200, id])
    for (const name of ['title', 'phoneNumbers', 'name', 'displayName', ENTERPRISE])
      expect(json).not.toHaveProperty(name)
    expect(json.emails).toEqual([{ value: userName, type: 'work', primary: true }])
    expect([await column(id, 'phone_number'), await column(id, 'position')]).toEqual(['', ''])
  })

  test('PUT keeps what only Maru has (rules/scim#fields)', async () => {
    const body = bodyOf()
    const { id } = (await entra.scim('POST', '/Users', body)).json
    await sql(
      `update users set phone_number = '01099998888', position = '과장', name = '새 이름' where id = $1`,
      [id],
    )
    await patch(`/Users/${id}`, [{ op: 'replace', path: 'nickName', value: 'A' }])
    const { json } = await entra.scim('PUT', `/Users/${id}`, { ...body, nickName: 'B' })
    expect(json).toMatchObject({ nickName: 'B', title: '과장', displayName: '새 이름' })
    expect(await column(id, 'phone_number')).toBe('01099998888')
    await entra.scim('PUT', `/Users/${id}`, { ...body, title: 'Lead' })
    expect(await column(id, 'position')).toBe('Lead')
  })

  test('POST creates twenty users concurrently (rules/scim#create)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => entra.scim('POST', '/Users', bodyOf())),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(20)
  })
})

describe('PATCH', () => {
  /* Operations, and what the user then shows; undefined for an attribute that is gone. */
  const steps: [string, object | object[], object][] = [
    [
      'a list with one value, as Entra sent texts',
      { op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'Bob' }] },
      { displayName: 'Bob' },
    ],
    ['an empty text', { op: 'Add', path: 'displayName', value: '' }, { displayName: undefined }],
    ['null for a complex attribute', { op: 'replace', value: { name: null } }, { name: undefined }],
    [
      'a path with the URN of the schema',
      { op: 'replace', path: `${USER}:name.givenName`, value: 'Eve' },
      { name: { givenName: 'Eve', familyName: 'Smith' } },
    ],
    [
      'an extension without a part',
      { op: 'replace', path: ENTERPRISE, value: { costCenter: '9' } },
      { [ENTERPRISE]: { costCenter: '9' } },
    ],
    [
      'keys that are paths',
      {
        op: 'add',
        value: {
          'name.familyName': 'Kim',
          [`${ENTERPRISE}:division`]: 'A',
          'phoneNumbers[type eq "mobile"].value': '010-1111-2222',
        },
      },
      {
        name: { givenName: 'Ann', familyName: 'Kim' },
        [ENTERPRISE]: { division: 'A' },
        phoneNumbers: [{ type: 'mobile', value: '010-1111-2222' }],
      },
    ],
    [
      'a second primary value',
      { op: 'add', path: 'emails', value: [{ value: 'home@x.kr', type: 'home', primary: true }] },
      {
        emails: [
          { type: 'work', primary: false },
          { type: 'home', value: 'home@x.kr', primary: true },
        ],
      },
    ],
    [
      'a filter with two conditions',
      { op: 'replace', path: 'emails[type eq "work" and PRIMARY eq True].type', value: 'other' },
      { emails: [{ type: 'other', primary: true }] },
    ],
    [
      'a value for a filter',
      { op: 'replace', path: 'emails[type eq "work"]', value: { primary: false } },
      { emails: [{ type: 'work', primary: false }] },
    ],
    [
      'a filter without a match',
      { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '02-1' },
      { phoneNumbers: [{ type: 'work', value: '02-1' }] },
    ],
    [
      'the removal of a part',
      { op: 'remove', path: 'emails[type eq "work"].primary' },
      { emails: [expect.not.objectContaining({ primary: expect.anything() })] },
    ],
    [
      'the removal of values by an operator',
      { op: 'Remove', path: 'emails[value ew "@none.kr" or not (type eq "work")]' },
      { emails: [{ type: 'work' }] },
    ],
    [
      'the removal of all emails, of which one stays',
      { op: 'remove', path: 'emails', value: null },
      { emails: [{ type: 'work', primary: true }] },
    ],
    [
      'attributes that Maru does not keep',
      [
        { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'x' },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'x' },
        { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'x' },
        { op: 'Add', path: 'manager', value: { value: 'x' } },
        { op: 'Add', path: 'urn:x:y:User:a', value: 'x' },
      ],
      { displayName: 'Ann Smith' },
    ],
    [
      'read-only attributes in an object, as Okta sends them',
      { op: 'replace', value: { id: 'x', meta: {}, groups: [], title: 'Lead' } },
      { title: 'Lead' },
    ],
  ]
  test.each(steps)('takes %s (rules/scim#patch-and-put)', async (_, operations, shown) => {
    const { id } = await create()
    const { status, json } = await patch(`/Users/${id}`, [operations].flat())
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json).toMatchObject({ id })
    for (const [name, value] of Object.entries(shown))
      if (value === undefined) expect(json).not.toHaveProperty([name])
      else expect(json[name]).toMatchObject(value)
    expect(await read(`/Users/${id}`)).toEqual(json)
    // The same operations again change nothing.
    const again = await patch(`/Users/${id}`, [operations].flat())
    expect({ ...again.json, meta: null }).toEqual({ ...json, meta: null })
  })

  test.each([
    [{ op: 'replace', path: 'active', value: '' }, 'invalidValue'],
    [{ op: 'replace', path: 'title[value eq "x"]', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'title.x', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[salary eq "x"].value', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type].value', value: 'x' }, 'invalidFilter'],
    [{ op: 'replace', path: `emails[${'('.repeat(2000)}]`, value: 'x' }, 'invalidFilter'],
    [{ op: 'replace', path: `${'x'.repeat(10_000)}[`, value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'meta.created', value: 'x' }, 'mutability'],
    [{ op: 'remove', path: 'groups' }, 'mutability'],
  ])('refuses %j (rules/scim#errors)', async (operation, scimType) => {
    const { id } = await create()
    expect(await patch(`/Users/${id}`, [operation])).toMatchObject({ status: 400, json: { scimType } })
  })
})

const group = async (members: string[] = []) =>
  (
    await entra.scim('POST', '/Groups', {
      schemas: [GROUP],
      displayName: `Group ${(count += 1)}`,
      externalId: `g-${count}`,
      members: members.map((value) => ({ value })),
    })
  ).json.id as string
const membersOf = async (id: string) =>
  (await read(`/Groups/${id}`)).members.map(({ value }: { value: string }) => value)

describe('groups', () => {
  let ids: string[]
  beforeAll(async () => {
    ids = await Promise.all([1, 2, 3].map(async () => (await create()).id))
    ids.sort((a, b) => Number(a) - Number(b))
  })

  test('take the operations of all clients (rules/scim#groups)', async () => {
    const [a = '', b = '', c = ''] = ids
    const id = await group()
    for (const [operation, members] of [
      [
        {
          op: 'Add',
          path: 'members',
          value: [
            { $ref: null, value: a },
            { value: b, type: 'User' },
          ],
        },
        [a, b],
      ],
      [{ op: 'add', path: `${GROUP}:members`, value: c }, [a, b, c]],
      [{ op: 'remove', path: `members[value eq "${a}" or value eq "${c}"]` }, [b]],
      [{ op: 'add', value: { [`${GROUP}:members`]: [{ value: c }], 'urn:x:y:Group': {} } }, [b, c]],
      [{ op: 'remove', path: 'members', value: [] }, [b, c]],
      [{ op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'Renamed' }] }, [b, c]],
      [{ op: 'remove', path: 'members', value: null }, []],
      [{ op: 'replace', path: 'members', value: null }, []],
    ] as const) {
      expect((await patch(`/Groups/${id}`, [operation])).status, JSON.stringify(operation)).toBe(204)
      expect(await membersOf(id), JSON.stringify(operation)).toEqual(members)
    }
    expect((await read(`/Groups/${id}`)).displayName).toBe('Renamed')
    const mixed = [
      { op: 'add', path: 'members', value: [{ value: b }] },
      { op: 'remove', path: 'members', value: [{ value: b }] },
      { op: 'replace', path: 'members', value: [{ value: b }, { value: c }] },
    ]
    for (const members of [
      [b, c],
      [b, c],
    ]) {
      expect((await patch(`/Groups/${id}`, mixed)).status).toBe(204)
      expect(await membersOf(id)).toEqual(members)
    }
  })

  test('ignore groups as members, which have no ID of a user (rules/scim#groups)', async () => {
    const id = await group(ids)
    const other = await group([id])
    expect(other).toMatch(/^g\d+$/)
    expect(await membersOf(other)).toEqual([])
    expect((await read(`/Groups/${other.slice(1)}`)).status).toBe('404')
    expect((await read(`/Users/${ids[0]}`)).groups).toMatchObject([
      { value: id, $ref: expect.stringMatching(`/Groups/${id}$`) },
    ])
  })

  test('are found by the filters of clients (rules/scim#search)', async () => {
    const id = await group(ids)
    for (const filter of [
      `members eq "${ids[0]}"`,
      `members[value eq "${ids[0]}" and type eq "User"]`,
      `meta.lastModified gt "2011-05-13T04:42:34Z"`,
      `${GROUP}:displayName sw "group"`,
    ]) {
      const path = `/Groups?filter=${encodeURIComponent(`id eq "${id}" and ${filter}`)}`
      expect((await read(`${path}&attributes=id,displayName`)).Resources, filter).toEqual([
        { schemas: [GROUP], id, displayName: expect.any(String) },
      ])
    }
  })
})
