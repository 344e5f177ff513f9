import { beforeAll, describe, expect, test } from 'vitest'
import { checkPassword } from '../../../contract/account.ts'
import { listAccess } from '../../../contract/audit.ts'
import { enableProvider } from '../../../contract/sso.ts'
import { endScimToken, getScim } from '../../../contract/scim.ts'
import {
  changeRoles,
  exportOwnData,
  previewBulk,
  suspendUser,
  withdrawUser,
} from '../../../contract/users.ts'
import { untilBlocked } from '../../../dev/test-kit/locks.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import { scimOf } from '../../../dev/test-kit/scim.ts'

/* Users by SCIM, with the requests that Entra and Okta send (rules/scim). */

const maru = useMaru({ PORTAL_URL: 'http://portal.test', SMTP_URL: 'smtp://127.0.0.1:1' })
const { sql, client, addProvider, startSessionOf } = scimOf(maru)

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

type Provider = Awaited<ReturnType<typeof addProvider>>
let entra: Provider
let okta: Provider
beforeAll(async () => {
  entra = await addProvider('entra')
  okta = await addProvider('okta')
})

let count = 0
const nameOfNext = () => `person${(count += 1)}@gana.kr`
/** A POST as Entra sends it. */
const entraUser = (userName: string, more: object = {}) => ({
  schemas: [USER, ENTERPRISE],
  externalId: `oid-${userName}`,
  userName,
  active: true,
  displayName: '홍길동',
  emails: [{ primary: true, type: 'work', value: userName }],
  meta: { resourceType: 'User' },
  name: { formatted: '길동 홍', familyName: '홍', givenName: '길동' },
  title: '과장',
  phoneNumbers: [{ type: 'mobile', value: '+82 10-1234-5678' }],
  [ENTERPRISE]: { department: '개발실', employeeNumber: '1001' },
  ...more,
})
/** A POST as Okta sends it. */
const oktaUser = (userName: string, more: object = {}) => ({
  schemas: [USER],
  userName,
  name: { givenName: 'Ann', familyName: 'Smith' },
  emails: [{ primary: true, value: userName, type: 'work' }],
  displayName: 'Ann Smith',
  locale: 'en-US',
  externalId: `00u${userName}`,
  groups: [],
  password: '1mz050nq',
  active: true,
  ...more,
})
async function create(provider = entra, body: object = entraUser(nameOfNext())) {
  const { status, json } = await provider.scim('POST', '/Users', body)
  expect(status, JSON.stringify(json)).toBe(201)
  return json as { id: string; userName: string; externalId: string }
}
const patch = (id: string, Operations: unknown, provider = entra) =>
  provider.scim('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations })
const row = async (id: string) => (await sql('select * from users where id = $1', [id]))[0] ?? {}
const trail = async (id: string) =>
  (await sql(
    `select action, actor_id, detail from audit_log where records && array['user/' || $1] order by id`,
    [id],
  )) as {
    action: string
    actor_id: string | null
    detail: Record<string, unknown>
  }[]
/** Returns the IDs of the users whom Entra finds. */
const found = async (filter: string) => {
  const { json } = await entra.scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
  return (json.Resources as { id: string }[]).map((one) => one.id)
}

const addTeam = async (name: string, nameEn: string, parent: unknown) =>
  (
    await sql(
      `insert into teams (affiliation_code, name, name_en, parent_id) values ('BEL001', $1, $2, $3) returning id::text`,
      [name, nameEn, parent],
    )
  )[0]?.['id']

describe('a user who is created', () => {
  test('gets an account with the fields of the provider (rules/scim#create)', async () => {
    const name = nameOfNext()
    const { status, json, headers } = await entra.scim('POST', '/Users', entraUser(name))
    expect(status).toBe(201)
    expect(headers['content-type']).toMatch('application/scim+json')
    expect(headers['location']).toBe(`http://portal.test/scim/v2/Users/${json.id}`)
    expect(json).toMatchObject({
      schemas: [USER, ENTERPRISE],
      userName: name,
      externalId: `oid-${name}`,
      active: true,
      displayName: '홍길동',
      emails: [{ primary: true, type: 'work', value: name }],
      [ENTERPRISE]: { department: '개발실' },
      meta: { resourceType: 'User' },
    })
    expect(await row(json.id)).toMatchObject({
      login_id: name.split('@')[0],
      name: '홍길동',
      position: '과장',
      email: name,
      phone_number: '01012345678',
      role_code: 'AUT003',
      approval_code: 'MEMAP001',
      affiliation_code: 'BEL001',
    })
    expect(await trail(json.id)).toMatchObject([
      { action: 'user.register', actor_id: null, detail: { providerName: 'entra', roleCode: 'AUT003' } },
    ])
  })

  test('is linked with the person at the provider for single sign-on (rules/scim#create)', async () => {
    const { id, externalId } = await create()
    expect(await sql('select subject, provider_id::text from identities where user_id = $1', [id])).toEqual([
      { subject: externalId, provider_id: entra.providerId },
    ])
  })

  test('is created without a phone number that does not fit (rules/scim#fields)', async () => {
    const phoneNumbers = [{ type: 'work', value: '+1 (425) 555-0100 ext. 9' }]
    const { id } = await create(entra, entraUser(nameOfNext(), { phoneNumbers }))
    expect(await row(id)).toMatchObject({ phone_number: '' })
    expect((await entra.scim('GET', `/Users/${id}`)).json.phoneNumbers).toEqual(phoneNumbers)
  })

  test('has an ID of the local part, with a number if it is taken (rules/scim#create)', async () => {
    const ids = []
    for (const host of ['a.kr', 'b.kr']) ids.push((await create(entra, entraUser(`kim.chul-su@${host}`))).id)
    const short = await create(entra, entraUser('yo@gana.kr'))
    const logins = await Promise.all([...ids, short.id].map(row))
    expect(logins.map(({ login_id }) => login_id)).toEqual(['kim.chul-su', 'kim.chul-su2', 'user-yo'])
  })

  test('belongs to the affiliation that the organization names (rules/scim#create)', async () => {
    const [busan] = await sql(
      `select code, name_ko from codes where group_code = 'COMBEL001' and code <> 'BEL001' limit 1`,
    )
    const { id } = await create(
      entra,
      entraUser(nameOfNext(), { [ENTERPRISE]: { organization: busan?.['name_ko'] } }),
    )
    expect((await row(id))['affiliation_code']).toBe(busan?.['code'])
  })

  test('joins the team that the department names, if there is one (rules/scim#fields)', async () => {
    const [lab, sales] = [await addTeam('연구소', 'Lab', null), await addTeam('영업', '', null)]
    await addTeam('1팀', 'Team 1', lab)
    await addTeam('1팀', '', sales)
    await addTeam('플랫폼', 'Platform', lab)
    const { id } = await create(entra, entraUser(nameOfNext(), { [ENTERPRISE]: { department: 'platform' } }))
    const team = async () =>
      (await sql('select team_path(team_id, false) as path from user_teams where user_id = $1', [id])).map(
        ({ path }) => path,
      )
    expect(await team()).toEqual(['연구소 > 플랫폼'])
    for (const [department, path, detail] of [
      ['lab>Team 1', '연구소 > 1팀', { teamName: { before: '연구소 > 플랫폼', after: '연구소 > 1팀' } }],
      // Two teams have this name.
      ['1팀', '연구소 > 1팀', { unknownTeam: '1팀' }],
      ['영업 > 1팀', '영업 > 1팀', {}],
      ['영업 > 2팀', '영업 > 1팀', { unknownTeam: '영업 > 2팀' }],
      ['', '영업 > 1팀', {}],
    ] as const) {
      await patch(id, [{ op: 'replace', path: `${ENTERPRISE}:department`, value: department }])
      expect(await team()).toEqual([path])
      expect((await trail(id)).at(-1)?.detail).toMatchObject(detail)
    }
  })

  test('finds the attributes in the own data (rules/retention#own-data)', async () => {
    const person = await maru.createUser({ email: 'own-data@gana.kr' })
    const own = ['own-data@gana.kr', entra.providerId, person.id]
    await sql(
      'insert into scim_users (user_name, provider_id, user_id, is_made) values ($1, $2, $3, false)',
      own,
    )
    await patch(person.id, [{ op: 'add', path: 'nickName', value: 'Gil' }])
    await entra.scim('POST', '/Groups', { displayName: 'Everyone', members: [{ value: person.id }] })
    await maru.call(checkPassword, { password: PASSWORD }, person)
    const { bytes } = await maru.call(exportOwnData, {}, person)
    expect(JSON.parse(bytes.toString()).provisioning).toMatchObject([
      {
        provider: 'entra',
        userName: 'own-data@gana.kr',
        groups: ['Everyone'],
        attributes: { texts: [['nickName', 'Gil']] },
      },
    ])
  })

  test('is created once by twenty concurrent requests (rules/scim#create)', async () => {
    const body = entraUser(nameOfNext())
    const answers = await Promise.all(Array.from({ length: 20 }, () => entra.scim('POST', '/Users', body)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, ...Array<number>(19).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({
      schemas: [ERROR],
      status: '409',
      scimType: 'uniqueness',
    })
  })

  test.each([
    ['no userName', { userName: undefined }, 'invalidValue'],
    ['an empty userName', { userName: ' ' }, 'invalidValue'],
    ['a userName that is a list', { userName: ['a'] }, 'invalidValue'],
    ['a control character', { displayName: 'a\u0000b' }, 'invalidValue'],
    ['half a character', { displayName: '\ud800' }, 'invalidValue'],
    ['no email anywhere', { userName: 'nobody', emails: [] }, 'invalidValue'],
    ['active that is no truth value', { active: 'yes' }, 'invalidValue'],
    [
      'eleven emails',
      { emails: Array.from({ length: 11 }, (_, i) => ({ value: `a${i}@b.kr` })) },
      'invalidValue',
    ],
  ])('is refused with %s (rules/scim#errors)', async (_, more, scimType) => {
    const { status, json } = await entra.scim('POST', '/Users', entraUser(nameOfNext(), more))
    expect(status).toBe(400)
    expect(json).toMatchObject({ schemas: [ERROR], status: '400', scimType, detail: expect.any(String) })
  })

  test('is suspended if the provider says so at once (rules/scim#active)', async () => {
    const { id } = await create(entra, entraUser(nameOfNext(), { active: 'False' }))
    expect((await entra.scim('GET', `/Users/${id}`)).json.active).toBe(false)
    expect((await trail(id)).map(({ action }) => action)).toEqual(['user.register', 'user.suspend'])
  })
})

describe('a search', () => {
  test('finds nobody for the probe of Okta (rules/scim#search)', async () => {
    const { status, json } = await okta.scim(
      'GET',
      '/Users?filter=userName%20eq%20%22nobody%40x.kr%22&startIndex=1&count=100',
    )
    expect(status).toBe(200)
    expect(json).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
  })

  test('compares names in any case, and everything else that providers match by (rules/scim#search)', async () => {
    const { id, userName, externalId } = await create()
    for (const filter of [
      `userName eq "${userName.toUpperCase()}"`,
      `USERNAME Eq "${userName}"`,
      `externalId eq "${externalId}"`,
      `id eq "${id}"`,
      `emails.value eq "${userName}"`,
      `emails[type eq "work"].value eq "${userName}"`,
      `emails[type eq "work" and value eq "${userName}"]`,
      `${USER}:userName eq "${userName}"`,
      `userName eq "${userName}" and active eq true`,
      `userName eq "none" or (externalId eq "${externalId}" and not (active eq false))`,
      `userName sw "${userName.slice(0, -1)}" and userName ew "${userName.slice(1)}" and userName co "@"`,
    ])
      expect(await found(filter), filter).toEqual([id])
    expect(await found(`externalId eq "${externalId.toUpperCase()}"`)).toEqual([])
    expect(await found(`userName eq "${userName}" and active eq false`)).toEqual([])
  })

  test.each([
    'userName',
    'userName eq',
    'userName eq unquoted',
    'password eq "x"',
    '__proto__ eq "x"',
    'constructor eq "x"',
    'active gt true',
    'meta.created gt "yesterday"',
    'meta.created ew 5',
    'userName eq "\\u0000"',
    '('.repeat(900),
    `userName eq "${'x'.repeat(1000)}"`,
    'userName eq "\u0001"',
  ])('refuses the filter %s (rules/scim#search)', async (filter) => {
    const { status, json } = await entra.scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    expect(status).toBe(400)
    expect(json.scimType).toBe('invalidFilter')
  })

  test('returns pages (rules/scim#search)', async () => {
    await create(okta, oktaUser(nameOfNext()))
    await create(okta, oktaUser(nameOfNext()))
    const list = async (query: string) => (await okta.scim('GET', `/Users?${query}`)).json
    const all = await list('startIndex=1&count=100')
    expect(all.totalResults).toBe(all.Resources.length)
    expect(await list('startIndex=2&count=1')).toMatchObject({
      totalResults: all.totalResults,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [{ id: all.Resources[1].id }],
    })
    expect(await list('startIndex=0&count=-3')).toMatchObject({
      startIndex: 1,
      itemsPerPage: 0,
      totalResults: all.totalResults,
    })
    expect(await list('startIndex=999')).toMatchObject({ itemsPerPage: 0, totalResults: all.totalResults })
    expect((await okta.scim('GET', '/Users?count=many')).status).toBe(400)
  })

  test('returns only the attributes that were asked for (rules/scim#search)', async () => {
    const { id } = await create()
    const keysOf = async (query: string) =>
      Object.keys((await entra.scim('GET', `/Users/${id}?${query}`)).json)
    expect(await keysOf('attributes=userName,name.familyName')).toEqual(['schemas', 'id', 'userName', 'name'])
    expect(await keysOf('excludedAttributes=emails,groups,meta')).not.toEqual(
      expect.arrayContaining(['emails']),
    )
  })
})

describe('PATCH', () => {
  test('takes the operations of Entra (rules/scim#patch-and-put)', async () => {
    const { id } = await create()
    const email = nameOfNext()
    const { status, json } = await patch(id, [
      { op: 'Replace', path: 'displayName', value: '김철수' },
      { op: 'Replace', path: 'name.familyName', value: '김' },
      { op: 'Replace', path: 'name.givenName', value: '철수' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '010-2222-3333' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: '기획실' },
      {
        op: 'Replace',
        value: { title: '부장', 'name.formatted': '김철수', [`${ENTERPRISE}:employeeNumber`]: '7' },
      },
    ])
    expect(status).toBe(200)
    expect(json).toMatchObject({
      displayName: '김철수',
      title: '부장',
      name: { familyName: '김', givenName: '철수', formatted: '김철수' },
      emails: [{ type: 'work', value: email, primary: true }],
      [ENTERPRISE]: { department: '기획실', employeeNumber: '7' },
    })
    expect(await row(id)).toMatchObject({
      name: '김철수',
      position: '부장',
      email,
      phone_number: '01022223333',
    })
    expect((await trail(id)).at(-1)).toMatchObject({
      action: 'user.update',
      actor_id: null,
      detail: { providerName: 'entra', name: { before: '홍길동', after: '김철수' } },
    })
  })

  test('takes over an employee number that fits and is free (rules/scim#fields)', async () => {
    const numbered = (employeeNumber: string) => ({ [ENTERPRISE]: { employeeNumber } })
    const { id } = await create(entra, entraUser(nameOfNext(), numbered('k-1')))
    expect(await row(id)).toMatchObject({ employee_number: 'K-1' })
    const { id: second } = await create(entra, entraUser(nameOfNext(), numbered('K-1')))
    expect(await row(second)).toMatchObject({ employee_number: null })
    const set = (value: string | null, to = second) =>
      patch(to, [{ op: 'replace', path: `${ENTERPRISE}:employeeNumber`, value }])
    expect((await set('K-2')).json[ENTERPRISE]).toEqual({ employeeNumber: 'K-2' })
    expect(await row(second)).toMatchObject({ employee_number: 'K-2' })
    expect((await trail(second)).at(-1)).toMatchObject({
      detail: { employeeNumber: { before: null, after: 'K-2' } },
    })
    // Neither stops the provider.
    for (const unfit of ['K-1', 'no number'])
      expect([(await set(unfit)).status, (await row(second))['employee_number']]).toEqual([
        200,
        unfit === 'K-1' ? 'K-2' : null,
      ])
    await sql(`update users set employee_number = 'K-9' where id = $1`, [id])
    expect((await entra.scim('GET', `/Users/${id}`)).json[ENTERPRISE]).toEqual({ employeeNumber: 'K-9' })
    await set(null, id)
    expect(await row(id)).toMatchObject({ employee_number: null })
  })

  test('yields an employee number that somebody else enters at the same instant (rules/scim#fields)', async () => {
    const other = await maru.createUser()
    const numbered = (employeeNumber: string) => ({ [ENTERPRISE]: { employeeNumber } })
    const whileTaken = async <T>(employeeNumber: string, request: () => Promise<T>): Promise<T> => {
      const locker = await maru.database.pool.connect()
      try {
        await locker.query('begin')
        await locker.query('update users set employee_number = $2 where id = $1', [other.id, employeeNumber])
        const answer = request()
        await untilBlocked(locker)
        await locker.query('commit')
        return await answer
      } finally {
        locker.release()
      }
    }
    const { id } = await whileTaken('K-31', () => create(entra, entraUser(nameOfNext(), numbered('K-31'))))
    expect(await row(id)).toMatchObject({ employee_number: null })
    const change = [{ op: 'replace', path: `${ENTERPRISE}:employeeNumber`, value: 'K-32' }]
    const late = await whileTaken('K-32', () => patch(id, change))
    expect(late).toMatchObject({ status: 409, json: { scimType: 'uniqueness' } })
    expect((await patch(id, change)).status).toBe(200)
    expect(await row(id)).toMatchObject({ employee_number: null })
  })

  test('tells the owner of the previous email (rules/scim#fields)', async () => {
    const { id, userName } = await create()
    await patch(id, [{ op: 'replace', path: 'emails[type eq "work"].value', value: nameOfNext() }])
    expect(await sql('select subject from mails where recipient = $1', [userName])).toHaveLength(1)
  })

  test.each([
    ['as Okta sends it', [{ op: 'replace', value: { active: false } }]],
    ['as Entra sends it', [{ op: 'Replace', path: 'active', value: 'False' }]],
    ['as Entra sends it without a path', [{ op: 'Add', value: { active: 'False' } }]],
  ])('ends the sessions with active: false, %s (rules/scim#active)', async (_, operations) => {
    const { id } = await create()
    const login = await startSessionOf(id)
    expect((await maru.callRaw('/cm/v1/header', {}, { session: login })).status).toBe(200)
    const { status, json } = await patch(id, operations)
    expect([status, json.active]).toEqual([200, false])
    expect((await maru.callRaw('/cm/v1/header', {}, { session: login })).status).toBe(401)
    expect((await patch(id, [{ op: 'replace', value: { active: true } }])).json.active).toBe(true)
    expect((await trail(id)).map(({ action }) => action)).toEqual([
      'user.register',
      'user.suspend',
      'user.lift',
    ])
    expect((await maru.callRaw('/cm/v1/header', {}, { session: login })).status).toBe(401)
  })

  test('does not lift a suspension that an administrator made (rules/scim#active)', async () => {
    const { id } = await create()
    const { login_id: userId } = await row(id)
    await maru.call(
      suspendUser,
      { userId: String(userId), suspendedFor: 'INCIDENT', reason: '' },
      entra.admin,
    )
    const { status, json } = await patch(id, [{ op: 'replace', value: { active: true } }])
    expect([status, json.active]).toEqual([200, false])
    expect(await row(id)).toMatchObject({ suspended_for: 'INCIDENT' })
  })

  test('removes by path and by a list of values (rules/scim#patch-and-put)', async () => {
    const { id } = await create(
      entra,
      entraUser(nameOfNext(), {
        phoneNumbers: [
          { type: 'work', value: '02-1' },
          { type: 'fax', value: '02-2' },
        ],
      }),
    )
    await patch(id, [
      { op: 'Remove', path: 'phoneNumbers', value: [{ value: '02-1' }] },
      { op: 'remove', path: 'title' },
      { op: 'remove', path: `${ENTERPRISE}:department` },
      { op: 'remove', path: 'phoneNumbers[type eq "home"]' },
    ])
    const { json } = await entra.scim('GET', `/Users/${id}`)
    expect(json.phoneNumbers).toEqual([{ type: 'fax', value: '02-2' }])
    expect(json.title).toBeUndefined()
    expect(json[ENTERPRISE]).toEqual({ employeeNumber: '1001' })
  })

  test('writes nothing for names of prototypes (rules/scim#patch-and-put)', async () => {
    const { id } = await create()
    const before = (await entra.scim('GET', `/Users/${id}`)).json
    const bodies = [
      '{"op":"add","value":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
      '{"op":"replace","path":"name","value":{"__proto__":{"polluted":true}}}',
      '{"op":"add","value":{"name.__proto__":{"polluted":"1"},"__proto__.polluted":"1"}}',
      '{"op":"add","path":"emails","value":{"__proto__":{"value":"x@y.kr"}}}',
    ]
    for (const body of bodies)
      expect((await entra.scim('PATCH', `/Users/${id}`, `{"Operations":[${body}]}`)).status).toBe(200)
    for (const path of [
      '__proto__',
      '__proto__.polluted',
      'constructor.prototype.polluted',
      'name.__proto__.x',
      'name.constructor',
    ])
      expect(await patch(id, [{ op: 'add', path, value: 'x' }])).toMatchObject({
        status: 400,
        json: { scimType: 'invalidPath' },
      })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    const after = (await entra.scim('GET', `/Users/${id}`)).json
    expect({ ...after, meta: null }).toEqual({ ...before, meta: null })
  })

  test.each([
    ['no operations', {}, 'invalidSyntax'],
    ['an empty list', { Operations: [] }, 'invalidSyntax'],
    ['an unknown operation', { Operations: [{ op: 'move', path: 'title' }] }, 'invalidSyntax'],
    ['an operation that is a text', { Operations: ['add'] }, 'invalidSyntax'],
    ['another schema', { schemas: ['x'], Operations: [{ op: 'add', value: {} }] }, 'invalidSyntax'],
    ['remove without a path', { Operations: [{ op: 'remove' }] }, 'noTarget'],
    ['a path that is no text', { Operations: [{ op: 'add', path: 7, value: 'x' }] }, 'invalidPath'],
    [
      'a path without an end',
      { Operations: [{ op: 'add', path: 'emails[type eq', value: 'x' }] },
      'invalidPath',
    ],
    ['an unknown attribute', { Operations: [{ op: 'add', path: 'salary', value: 'x' }] }, 'invalidPath'],
    ['the ID', { Operations: [{ op: 'replace', path: 'id', value: '1' }] }, 'mutability'],
    ['no userName', { Operations: [{ op: 'remove', path: 'userName' }] }, 'mutability'],
    ['an empty userName', { Operations: [{ op: 'replace', path: 'userName', value: '' }] }, 'invalidValue'],
    ['a text as the name', { Operations: [{ op: 'replace', path: 'name', value: 'x' }] }, 'invalidValue'],
    [
      'an object as a text',
      { Operations: [{ op: 'replace', path: 'title', value: { a: 1 } }] },
      'invalidValue',
    ],
    ['a text without a path', { Operations: [{ op: 'replace', value: 'x' }] }, 'invalidValue'],
  ])('refuses %s (rules/scim#errors)', async (_, body, scimType) => {
    const { id } = await create()
    expect(await entra.scim('PATCH', `/Users/${id}`, body)).toMatchObject({ status: 400, json: { scimType } })
  })

  test('changes nothing if one operation is refused (rules/scim#patch-and-put)', async () => {
    const { id } = await create()
    await patch(id, [
      { op: 'replace', path: 'title', value: '사장' },
      { op: 'replace', path: 'salary', value: '1' },
    ])
    expect(await row(id)).toMatchObject({ position: '과장' })
  })

  test('refuses the name of another user, and an email that is taken (rules/scim#errors)', async () => {
    const [one, other] = [await create(), await create()]
    const uniqueness = { status: 409, json: { scimType: 'uniqueness' } }
    expect(
      await patch(one.id, [{ op: 'replace', path: 'userName', value: other.userName.toUpperCase() }]),
    ).toMatchObject(uniqueness)
    expect(
      await patch(one.id, [{ op: 'replace', path: 'externalId', value: other.externalId }]),
    ).toMatchObject(uniqueness)
    expect(
      await patch(one.id, [{ op: 'replace', path: 'emails[type eq "work"].value', value: other.userName }]),
    ).toMatchObject(uniqueness)
  })

  test('ends the link and the sessions of the previous person with another external ID (rules/scim#fields)', async () => {
    const { id } = await create()
    const session = await startSessionOf(id)
    expect((await patch(id, [{ op: 'replace', path: 'externalId', value: `new-${id}` }])).status).toBe(200)
    expect(await sql('select subject from identities where user_id = $1', [id])).toEqual([
      { subject: `new-${id}` },
    ])
    expect((await maru.callRaw('/cm/v1/header', {}, { session })).status).toBe(401)
  })
})

describe('PUT', () => {
  test('replaces a user as Okta sends it (rules/scim#patch-and-put)', async () => {
    const { id, userName, externalId } = await create(okta, oktaUser(nameOfNext(), { title: 'Lead' }))
    const body = {
      ...oktaUser(userName),
      id,
      name: { givenName: 'Anna', familyName: 'Smith' },
      displayName: 'Anna Smith',
    }
    const { status, json } = await okta.scim('PUT', `/Users/${id}`, { ...body, externalId: undefined })
    expect(status).toBe(200)
    expect(json).toMatchObject({ id, displayName: 'Anna Smith', externalId, active: true })
    expect(json.title).toBeUndefined()
    expect(json.password).toBeUndefined()
    expect(await row(id)).toMatchObject({ name: 'Anna Smith', position: '' })
    expect((await okta.scim('PUT', `/Users/${id}`, { ...body, active: false })).json.active).toBe(false)
    expect((await okta.scim('PUT', `/Users/${id}`, { ...body, userName: undefined })).status).toBe(400)
  })

  test('keeps what Maru changed and the provider did not (rules/scim#fields)', async () => {
    const { id, userName } = await create()
    await sql(`update users set name = '새 이름', phone_number = '01099998888' where id = $1`, [id])
    expect((await entra.scim('GET', `/Users/${id}`)).json).toMatchObject({
      displayName: '새 이름',
      phoneNumbers: [{ value: '01099998888' }],
    })
    await patch(id, [{ op: 'replace', path: 'title', value: '차장' }])
    expect(await row(id)).toMatchObject({ name: '새 이름', position: '차장', email: userName })
  })
})

describe('DELETE', () => {
  test('withdraws the account, which can be created again (rules/scim#delete)', async () => {
    const body = entraUser(nameOfNext())
    const { id } = await create(entra, body)
    expect((await entra.scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await row(id)).toMatchObject({ withdrawn_at: expect.any(Date), withdrawn_by: null })
    expect((await trail(id)).at(-1)).toMatchObject({
      action: 'user.withdraw',
      detail: { providerName: 'entra' },
    })
    for (const method of ['GET', 'DELETE', 'PATCH'] as const)
      expect(
        await entra.scim(
          method,
          `/Users/${id}`,
          method === 'PATCH' ? { Operations: [{ op: 'add', value: {} }] } : undefined,
        ),
      ).toMatchObject({
        status: 404,
        json: { schemas: [ERROR], status: '404' },
      })
    expect((await create(entra, body)).id).toBe(id)
    expect(await row(id)).toMatchObject({ withdrawn_at: null })
    expect((await trail(id)).at(-1)).toMatchObject({ action: 'user.restore', actor_id: null })
    expect(await sql('select subject from identities where user_id = $1', [id])).toHaveLength(1)
  })

  test('does not create an account again that an administrator has withdrawn (rules/scim#delete)', async () => {
    const body = entraUser(nameOfNext())
    const { id } = await create(entra, body)
    const userId = String((await row(id))['login_id'])
    expect((await maru.call(withdrawUser, { userId }, entra.admin)).status).toBe(200)
    expect((await entra.scim('GET', `/Users/${id}`)).status).toBe(404)
    expect((await entra.scim('POST', '/Users', body)).status).toBe(409)
    await sql(`update users set withdrawn_at = now() - interval '31 days' where id = $1`, [id])
    await create(entra, body)
  })
})

describe('the reach of a provider', () => {
  test('ends at its own accounts (rules/scim#reach)', async () => {
    const { id, userName } = await create()
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
      const body = {
        PUT: oktaUser(userName),
        PATCH: { Operations: [{ op: 'replace', value: { active: false } }] },
      }
      const answer = await okta.scim(
        method,
        `/Users/${id}`,
        method in body ? body[method as 'PUT'] : undefined,
      )
      expect(answer.status, method).toBe(404)
    }
    expect(
      (await okta.scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`)).json
        .totalResults,
    ).toBe(0)
    expect(await okta.scim('POST', '/Users', oktaUser(userName))).toMatchObject({
      status: 409,
      json: { scimType: 'uniqueness' },
    })
    const outsider = await maru.createUser()
    expect((await okta.scim('GET', `/Users/${outsider.id}`)).status).toBe(404)
  })

  test('ends below a privileged permission and the last administrator (rules/scim#reach)', async () => {
    const { id, userName } = await create()
    for (const role of ['AUT001', 'AUT002']) {
      await sql('update users set role_code = $2 where id = $1', [id, role])
      expect((await patch(id, [{ op: 'replace', value: { active: false } }])).status).toBe(403)
      expect(
        (await entra.scim('PUT', `/Users/${id}`, entraUser(userName, { displayName: 'x' }))).status,
      ).toBe(403)
      expect((await entra.scim('DELETE', `/Users/${id}`)).status).toBe(403)
    }
    expect(await row(id)).toMatchObject({ suspended_at: null, withdrawn_at: null, name: '홍길동' })
  })

  test.each([undefined, 'maru-scim-none', 'x'])(
    'needs a valid token, not %s (rules/scim#tokens)',
    async (token) => {
      const { status, json, headers } = await client(token)('GET', '/Users')
      expect(status).toBe(401)
      expect(headers['www-authenticate']).toBe('Bearer')
      expect(json).toMatchObject({ schemas: [ERROR], status: '401' })
    },
  )

  test('ends with the token, and with the provider (rules/scim#tokens)', async () => {
    const { providerId, scim, admin } = await addProvider('ending')
    const body = entraUser(nameOfNext())
    const { id } = await create({ ...entra, scim }, body)
    await sql('update identity_providers set enabled_at = null where id = $1', [providerId])
    expect((await scim('GET', `/Users/${id}`)).status).toBe(403)
    const ref = { providerId, providerVersion: 1 }
    expect((await maru.call(enableProvider, { ...ref, enabled: true }, admin)).status).toBe(200)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(200)
    const [token] = (await maru.call(getScim, { providerId }, admin)).data.tokens
    await maru.call(endScimToken, { providerId, tokenId: token?.tokenId ?? '' }, admin)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(401)
  })

  test('is no session, and a session is no token (rules/scim#tokens)', async () => {
    const response = await maru.app.inject({
      method: 'GET',
      url: '/scim/v2/Users',
      headers: { SessionId: entra.admin.session },
    })
    expect(response.statusCode).toBe(401)
    expect((await maru.callRaw('/cm/v1/header', {}, { token: entra.token })).status).toBe(401)
  })
})

test.each(['AUT001', 'AUT002'])(
  'loses its link with an account that gets the role %s (rules/scim#reach)',
  async (roleCode) => {
    const { id } = await create()
    const { login_id: userId } = await row(id)
    await sql(
      `update users set password_own_from = now() - interval '1 hour', partner_id = null where id = $1`,
      [id],
    )
    await sql(`update identities set created_at = now() where user_id = $1`, [id])
    const chosen = { userIds: [String(userId)], roleCode }
    const { version } = (await maru.call(previewBulk, { ...chosen, bulkAction: 'role' }, entra.admin)).data
    expect((await maru.call(changeRoles, { ...chosen, version }, entra.admin)).status).toBe(200)
    expect(await sql('select 1 from identities where user_id = $1', [id])).toEqual([])
  },
)

describe('any request', () => {
  test.each(['/Users', '/Users/1', '/Nothing', '/Users/1/more', '/', '/Me', '/Bulk'])(
    'is answered in the format of SCIM at %s (rules/scim#errors)',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
        for (const body of [
          undefined,
          'not json',
          '[]',
          'null',
          '{"userName":{"a":[]}}',
          '{"Operations":{}}',
        ]) {
          const { status, json } = await entra.scim(method, path, body)
          expect(status, `${method} ${path} ${body}`).toBeLessThan(500)
          if (status >= 400) expect(json.schemas).toEqual([ERROR])
        }
    },
  )

  test('takes JSON and SCIM, and no other type (rules/scim#requests)', async () => {
    const body = entraUser(nameOfNext())
    expect(
      (await client(entra.token, 'application/json; charset=utf-8')('POST', '/Users', body)).status,
    ).toBe(201)
    expect((await client(entra.token, 'text/plain')('POST', '/Users', body)).status).toBe(415)
  })

  test.each(['abc', '0', '-1', '99999999999999999999', '1%00', '%2e%2e', "1' or '1"])(
    'finds no user with the ID %s (rules/scim#errors)',
    async (id) => {
      expect((await entra.scim('GET', `/Users/${id}`)).status).toBe(404)
    },
  )

  test('describes what the server supports (rules/scim#requests)', async () => {
    const get = async (path: string) => (await entra.scim('GET', path)).json
    expect(await get('/ServiceProviderConfig')).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true },
    })
    expect((await get('/ResourceTypes')).Resources.map(({ id }: { id: string }) => id)).toEqual([
      'User',
      'Group',
    ])
    expect((await get('/Schemas')).totalResults).toBe(3)
    expect(await get(`/Schemas/${USER}`)).toMatchObject({ id: USER, name: 'User' })
    expect((await entra.scim('GET', '/Schemas/none')).status).toBe(404)
  })

  test('is in the access log (rules/scim#trail)', async () => {
    const { id } = await create()
    await entra.scim('GET', `/Users/${id}`)
    const { rows } = (
      await maru.call(listAccess, { subject: String((await row(id))['login_id']) }, entra.admin)
    ).data
    expect(rows.map(({ task, userId }) => [task, userId])).toEqual([
      ['SCIM 사용자 조회', 'SCIM: entra'],
      ['SCIM 사용자 등록', 'SCIM: entra'],
    ])
    const { rows: tokens } = await maru.database.pool.query(
      `select detail from access_log where actor = 'SCIM: entra'`,
    )
    for (const { detail } of tokens) expect(detail).toMatch(/(^|,)token:scim\/\d+$/)
  })
})
