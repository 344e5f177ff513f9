import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { setPassword } from '../../contract/account.ts'
import { SESSION_HEADER, PLAIN_BASE } from '../../contract/envelope.ts'
import { endpoints } from '../../contract/index.ts'
import { createProgram, issueKey, listPrograms } from '../../contract/keys.ts'
import { timestamp } from '../../contract/fields.ts'
import { isTimeField, toPlain } from '../../contract/plain.ts'
import { type Scope, SCOPES, UNATTENDED_SCOPES } from '../../contract/scopes.ts'
import { DOCUMENT_PATH } from './plain-document.ts'
import { noteChangedRows } from '../../dev/test-kit/changed-rows.ts'
import { PASSWORD, useMaru } from '../../dev/test-kit/maru.ts'
import type { TestUser } from '../../dev/test-kit/people.ts'
import { programsOf } from '../../dev/test-kit/programs.ts'
import { fieldsOf } from '../../contract/wire.ts'
import { SAMPLE, sampleOf } from '../../dev/test-kit/samples.ts'

/* Tests the plain calls of the contract: the same answers as in the envelope, and nothing without scope, role or network. */
const maru = useMaru()
const { sql, passGate } = programsOf(maru)

const offered = endpoints.filter(({ endpoint }) => endpoint.scope !== undefined)
type Entry = (typeof endpoints)[number]

let admin: TestUser
let partner: string
let all: string
beforeAll(async () => {
  await maru.createUser({ loginId: SAMPLE.userId, email: SAMPLE.email })
  partner = await maru.createPartner({ code: SAMPLE.partner })
  admin = await maru.createUser({ role: 'admin', partner })
  await passGate(admin)
  all = await tokenOf(admin, SCOPES)
})

let made = 0
async function tokenOf(person: TestUser, scopes: readonly Scope[], more: object = {}): Promise<string> {
  const input = { programName: `program ${(made += 1)}`, scopes: [...scopes], ...more }
  const answer = await maru.call(createProgram, input, person)
  expect(answer.status, answer.raw).toBe(200)
  return answer.data.programToken
}

interface Sent {
  token?: string
  headers?: Record<string, string>
  address?: string
  body?: string | Buffer
}

async function plain({ domain, name }: Pick<Entry, 'domain' | 'name'>, input: unknown, sent: Sent = {}) {
  const response = await maru.app.inject({
    method: 'POST',
    url: `${PLAIN_BASE}/${domain}/${name}`,
    remoteAddress: sent.address ?? '203.0.113.5',
    headers: {
      'content-type': 'application/json',
      'accept-language': 'ko',
      ...(sent.token !== undefined && { authorization: `Bearer ${sent.token}` }),
      ...sent.headers,
    },
    payload: sent.body ?? JSON.stringify(input),
  })
  return { status: response.statusCode, headers: response.headers, raw: response.body, json: response.json() }
}

const entryOf = (name: string) => offered.find((each) => each.name === name) ?? expect.unreachable(name)
/** Sample of a plain call: `publishAt` is a time, and a program has no password. */
const plainSample = (entry: Entry) => {
  const { publishAt: _, managerPassword: __, ...sample } = sampleOf(entry)
  return sample
}

/** Issues a key in the envelope with a new token of these scopes. */
const statusOfIssuing = async (scopes: readonly Scope[]) =>
  (await maru.call(issueKey, { requestKey: 'device' }, { token: await tokenOf(admin, scopes) })).status

/** Reads what a request wrote to the audit log: actions and actors. */
const logged = (requestId: unknown) =>
  sql('select action, actor_id from audit_log where request_id = $1 order by id', [requestId])

/** Reads what a request wrote to the access log. */
const accessOf = (requestId: unknown) =>
  sql('select act, call, actor_id, result, subjects from access_log where request_id = $1', [requestId])

/** Status, code and field of a problem. */
const about = (answer: { status: number; json: { code: string; field?: string } }) => [
  answer.status,
  answer.json.code,
  answer.json.field,
]

const readDocument = () => maru.app.inject({ method: 'GET', url: DOCUMENT_PATH })

describe('the offered calls (rules/wire#plain-calls)', () => {
  test('are no public calls, own accounts, settings, roles or files; confirmed ones have scopes of their own', () => {
    expect(offered.length).toBeGreaterThan(30)
    for (const { domain, name, endpoint } of offered) {
      const { access, confirmed, fourEyes, body, answer, personal } = endpoint
      expect(['account', 'settings', 'roles', 'common', 'notifications'], name).not.toContain(domain)
      expect(access === 'public', name).toBe(false)
      expect([fourEyes, body, answer], name).toEqual([undefined, undefined, undefined])
      if (confirmed !== undefined) {
        expect(['always', 'password'], name).toContain(confirmed)
        expect(UNATTENDED_SCOPES, name).toContain(endpoint.scope)
      }
      expect(personal === 'none' || !personal.includes('own'), name).toBe(true)
      if (typeof access === 'object') expect(access.function, name).not.toContain('autho_role_manage')
    }
    expect(new Set(offered.map(({ endpoint }) => endpoint.scope))).toEqual(new Set(SCOPES))
  })

  test('write only with a scope that says so', () => {
    for (const { name, endpoint } of offered)
      if (endpoint.audit !== 'none') expect(endpoint.scope, name).toMatch(/:(write|issue|suspend)$/)
  })

  test('have times only in fields that the codec knows', () => {
    const times = offered.flatMap(({ endpoint }) =>
      fieldsOf(endpoint.output).filter(({ schema }) => schema === timestamp),
    )
    expect(times.length).toBeGreaterThan(10)
    for (const { name } of times) expect(isTimeField(name), name).toBe(true)
  })

  // A service verifies keys in the envelope; the plain call is tested in keys/program-accounts.test.ts.
  test.each(offered.filter(({ name }) => name !== 'verifyKey'))(
    '$name answers as in the envelope',
    async (entry) => {
      const input = plainSample(entry)
      const isWrite = entry.endpoint.audit !== 'none'
      const first = await plain(entry, input, { token: all })
      expect(first.status, first.raw).toBeLessThan(500)
      // A repeated write is refused, or changes the record again.
      const password = entry.endpoint.confirmed === 'password' ? { managerPassword: PASSWORD } : {}
      const bySession = await maru.callRaw(entry.endpoint.path, { ...input, ...password }, admin)
      const byToken = await plain(entry, input, { token: all })
      if (bySession.status !== 200) {
        expect([byToken.json.code, byToken.json.detail]).toEqual([bySession.code, bySession.msg])
        expect(byToken.headers['content-type']).toMatch(/^application\/problem\+json/)
        return
      }
      expect(byToken.status, byToken.raw).toBe(200)
      if (!isWrite && entry.name !== 'listAudit' && entry.name !== 'listAccess')
        expect(byToken.json).toEqual(toPlain(bySession.data))
      // The changes of the audit log are texts for people.
      if (entry.name !== 'listAudit') expect(byToken.raw).not.toMatch(/"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/)
      const [mine, theirs] = [
        await logged(byToken.headers['x-request-id']),
        await logged(bySession.headers['x-request-id']),
      ]
      expect(mine).toEqual(theirs)
    },
  )

  test('record access as in the envelope (rules/audit#access-log)', async () => {
    const entry = entryOf('getUser')
    const input = { userId: SAMPLE.userId }
    const [byToken, bySession] = [
      await plain(entry, input, { token: all }),
      await maru.callRaw(entry.endpoint.path, input, admin),
    ]
    const mine = await accessOf(byToken.headers['x-request-id'])
    expect(mine).toHaveLength(1)
    expect(mine).toEqual(await accessOf(bySession.headers['x-request-id']))
  })

  test('are no call at all otherwise', async () => {
    for (const { domain, name, endpoint } of endpoints) {
      if (endpoint.scope !== undefined) continue
      const answer = await plain({ domain, name }, {}, { token: all })
      expect([name, answer.status, answer.json.code]).toEqual([name, 404, 'PATH_NOT_FOUND'])
    }
    const read = await maru.app.inject({ method: 'GET', url: `${PLAIN_BASE}/users/listUsers` })
    expect([read.statusCode, read.headers.allow]).toEqual([405, 'POST'])
    const preflight = await maru.app.inject({
      method: 'OPTIONS',
      url: `${PLAIN_BASE}/users/listUsers`,
      headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('a token without the right (rules/keys#scopes)', () => {
  test('gets nothing and changes nothing', async () => {
    const [expired, ended, elsewhere, unscoped] = [
      await tokenOf(admin, SCOPES),
      await tokenOf(admin, SCOPES),
      await tokenOf(admin, SCOPES, { allowedNetworks: ['10.1.0.0/16', '2001:db8::1'] }),
      await tokenOf(admin, []),
    ]
    await sql(`update program_tokens set expires_at = now() - interval '1 second' where name = 'program 2'`)
    await sql(`update program_tokens set ended_at = now(), end_reason = 'revoked' where name = 'program 3'`)
    const without = new Map<Scope | undefined, string>()
    for (const scope of SCOPES)
      without.set(
        scope,
        await tokenOf(
          admin,
          SCOPES.filter((each) => each !== scope),
        ),
      )
    const plainUser = await maru.createUser({ role: 'user', partner })
    await passGate(plainUser)
    const ofUser = await tokenOf(plainUser, SCOPES)
    // The first use from a network has a row of its own.
    await plain(entryOf('listNotices'), {}, { token: ofUser })
    const changes = await noteChangedRows(maru.owner, {
      apart: ['rate_limits', 'migrations', 'program_tokens'],
    })
    const session = { [SESSION_HEADER]: admin.session }
    for (const entry of offered) {
      const input = plainSample(entry)
      const refused: [what: string, sent: Sent, status: number, code: string][] = [
        ['no token', {}, 401, 'PROGRAM_TOKEN_REQUIRED'],
        ['a session', { headers: session }, 401, 'PROGRAM_TOKEN_REQUIRED'],
        ['a session as token', { token: admin.session }, 401, 'PROGRAM_TOKEN_REQUIRED'],
        ['a cookie', { headers: { cookie: `maru=${all}` } }, 401, 'PROGRAM_TOKEN_REQUIRED'],
        ['an unknown token', { token: `${all}x` }, 401, 'PROGRAM_TOKEN_REQUIRED'],
        ['an expired token', { token: expired }, 401, 'PROGRAM_TOKEN_REQUIRED'],
        ['an ended token', { token: ended }, 401, 'PROGRAM_TOKEN_REQUIRED'],
        ['another network', { token: elsewhere }, 401, 'PROGRAM_TOKEN_REQUIRED'],
        ['no scope', { token: unscoped }, 403, 'PROGRAM_TOKEN_SCOPE'],
        ['no scope, a session', { token: unscoped, headers: session }, 403, 'PROGRAM_TOKEN_SCOPE'],
        ['all other scopes', { token: without.get(entry.endpoint.scope) ?? '' }, 403, 'PROGRAM_TOKEN_SCOPE'],
      ]
      const { access } = entry.endpoint
      const isOpen = access === 'signed-in' || /keys:|notices:/.test(entry.endpoint.scope ?? '')
      if (!isOpen) refused.push(['another role', { token: ofUser }, 403, 'FORBIDDEN'])
      for (const [what, sent, status, code] of refused) {
        const answer = await plain(entry, input, sent)
        const got = answer.json.code === 'FUNCTION_DENIED' ? 'FORBIDDEN' : answer.json.code
        expect.soft([entry.name, what, answer.status, got]).toEqual([entry.name, what, status, code])
      }
    }
    expect(await changes()).toEqual({})
    const inside = await plain(entryOf('listUsers'), {}, { token: elsewhere, address: '10.1.2.3' })
    expect(inside.status).toBe(200)
    const mapped = await plain(entryOf('listUsers'), {}, { token: elsewhere, address: '::ffff:10.1.2.3' })
    expect(mapped.status).toBe(200)
  })

  test('refuses an administrator outside the networks of administrators (rules/settings#admin-networks)', async () => {
    const now = maru.services.settings.now.bind(maru.services.settings)
    Object.assign(maru.services.settings, { now: () => ({ ...now(), adminNetworks: ['10.9.0.0/16'] }) })
    try {
      const answer = await plain(entryOf('listUsers'), {}, { token: all })
      expect([answer.status, answer.json.code]).toEqual([401, 'ADDRESS_REFUSED'])
    } finally {
      Object.assign(maru.services.settings, { now })
    }
  })

  test('ends with the permission of its user, on the next call', async () => {
    const hr = await maru.createUser({ role: 'hr', partner })
    await passGate(hr)
    const token = await tokenOf(hr, SCOPES)
    expect((await plain(entryOf('listUsers'), {}, { token })).status).toBe(200)
    await sql(`update users set role_code = 'AUT003' where id = $1`, [hr.id])
    expect((await plain(entryOf('listUsers'), {}, { token })).status).toBe(403)
    await sql(`update users set suspended_at = now() where id = $1`, [hr.id])
    expect((await plain(entryOf('listUsers'), {}, { token })).status).toBe(401)
  })

  test('ends with a new password of its user, unless it only issues keys', async () => {
    const hr = await maru.createUser({ role: 'hr', partner })
    await passGate(hr)
    const [reading, issuing] = [await tokenOf(hr, ['users:read']), await tokenOf(hr, ['keys:issue'])]
    const input = { currentPassword: PASSWORD, newPassword: 'brand-New-2026!' }
    expect((await maru.call(setPassword, input, hr)).status).toBe(200)
    expect((await plain(entryOf('listUsers'), {}, { token: reading })).status).toBe(401)
    const issued = await plain(entryOf('issueKey'), { requestKey: 'device' }, { token: issuing })
    expect(issued.status).toBe(200)
  })

  test('reads no user of another branch (rules/roles#branch-roles)', async () => {
    await sql(
      `insert into roles (code, group_name, name_en, sort_order, span) values ('AUT971', '지점', 'Branch', 9, 'branch')`,
    )
    await sql(`insert into role_functions values ('AUT971', 'autho_user_search')`)
    const other = await maru.createUser({
      affiliation: 'BEL002',
      partner: await maru.createPartner({ affiliation: 'BEL002' }),
    })
    const branch = await maru.createUser({ affiliation: 'BEL001', partner })
    await sql(`update users set role_code = 'AUT971' where id = $1`, [branch.id])
    await passGate(branch)
    const token = await tokenOf(branch, ['users:read'])
    const answer = await plain(entryOf('getUser'), { userId: other.userId }, { token })
    expect([403, 404]).toContain(answer.status)
    const list = await plain(entryOf('listUsers'), { perPage: 100 }, { token })
    expect(list.status).toBe(200)
    expect(list.raw).not.toContain(other.userId)
    const whole = await plain(entryOf('listUsers'), { perPage: 100 }, { token: all })
    expect(whole.raw).toContain(other.userId)
  })

  test('issues keys in the envelope only without scopes or with keys:issue', async () => {
    expect([
      await statusOfIssuing([]),
      await statusOfIssuing(['keys:issue']),
      await statusOfIssuing(['users:read']),
    ]).toEqual([200, 200, 403])
  })
})

/** A row of an import. */
const imported = (userId: string, more: object = {}) => ({
  userId,
  name: '김하늘',
  affiliationCode: 'BEL001',
  position: '사원',
  phoneNumber: '01012345678',
  email: `${userId}@example.com`,
  roleCode: 'AUT003',
  partnerCode: SAMPLE.partner,
  validFrom: '2026-01-01',
  validTo: '2099-12-31',
  ...more,
})

const usersNow = () => sql('select * from users order by id')

describe('changes of users by a program (rules/keys#unattended-changes)', () => {
  const suspend = { suspendedFor: 'LEAVE' }

  test('register, update, suspend and unsuspend ordinary users without a password', async () => {
    const registered = await plain(entryOf('importUsers'), { rows: [imported('feed.one')] }, { token: all })
    expect([registered.status, registered.json]).toEqual([200, { rowCount: 1 }])
    const rows = [imported('feed.one', { position: '과장' })]
    const preview = await plain(entryOf('checkUpdates'), { rows }, { token: all })
    const { version } = preview.json as { version?: string }
    const updated = await plain(entryOf('updateByImport'), { rows, version }, { token: all })
    expect([updated.status, updated.json]).toEqual([200, { userCount: 1 }])
    for (const name of ['suspendUser', 'liftSuspension']) {
      const input = { userId: 'feed.one', ...(name === 'suspendUser' && suspend) }
      expect((await plain(entryOf(name), input, { token: all })).status).toBe(200)
    }
    const [noted] = await sql('select action, actor_id, detail from audit_log where request_id = $1', [
      updated.headers['x-request-id'],
    ])
    expect(noted).toMatchObject({
      action: 'user.update',
      actor_id: admin.id,
      detail: { position: { before: '사원', after: '과장' }, programName: 'program 1' },
    })
  })

  test('refuse a field with a password', async () => {
    const input = { rows: [imported('feed.two')], managerPassword: PASSWORD }
    const answer = await plain(entryOf('importUsers'), input, { token: all })
    expect(about(answer)).toEqual([400, 'INPUT_INVALID', undefined])
  })

  test.each(['AUT001', 'AUT002'])(
    'grant no role %s, whatever the user of the token may',
    async (roleCode) => {
      const person = await maru.createUser({ partner, affiliation: 'BEL001' })
      const before = await usersNow()
      const registered = await plain(
        entryOf('importUsers'),
        { rows: [imported('feed.boss', { roleCode })] },
        { token: all },
      )
      expect(about(registered)).toEqual([400, 'IMPORT_INVALID', undefined])
      const rows = [{ userId: person.userId, roleCode }]
      const { json } = await plain(entryOf('checkUpdates'), { rows }, { token: all })
      const { version, errorCount } = json as unknown as { version: string; errorCount: number }
      expect(errorCount).toBe(1)
      const updated = await plain(entryOf('updateByImport'), { rows, version }, { token: all })
      expect(about(updated)).toEqual([400, 'IMPORT_INVALID', undefined])
      expect(await usersNow()).toEqual(before)
    },
  )

  test.each(['admin', 'hr'] as const)('reach no user with the role %s', async (role) => {
    const person = await maru.createUser({ role, partner })
    const before = await usersNow()
    const input = { userId: person.userId, ...suspend }
    expect(about(await plain(entryOf('suspendUser'), input, { token: all }))).toEqual([
      403,
      'FORBIDDEN',
      undefined,
    ])
    const rows = [{ userId: person.userId, position: '이사' }]
    const { json } = await plain(entryOf('checkUpdates'), { rows }, { token: all })
    expect((json as unknown as { errorCount: number }).errorCount).toBe(1)
    expect(JSON.stringify(json)).not.toContain(person.email)
    expect(await usersNow()).toEqual(before)
  })

  test('change no email, which would let a stolen token take an account over', async () => {
    const person = await maru.createUser({ partner })
    const rows = [{ userId: person.userId, email: 'thief@example.com' }]
    const { json } = await plain(entryOf('checkUpdates'), { rows }, { token: all })
    expect((json as unknown as { errorCount: number }).errorCount).toBe(1)
  })

  test('lift no suspension for a security incident', async () => {
    const person = await maru.createUser({ partner })
    await sql(`update users set suspended_at = now(), suspended_for = 'INCIDENT' where id = $1`, [person.id])
    const answer = await plain(entryOf('liftSuspension'), { userId: person.userId }, { token: all })
    expect(answer.json.code).toBe('INCIDENT_LIFT')
  })
})

describe('the scopes of a token (rules/keys#scopes)', () => {
  test('are listed, audited and kept by its rollover; networks are normalized', async () => {
    const person = await maru.createUser({ role: 'hr' })
    await sql('update users set partner_id = null where id = $1', [person.id])
    await passGate(person)
    expect((await maru.call(createProgram, { programName: 'none' }, person)).code).toBe('NO_PARTNER')
    await tokenOf(person, ['users:read', 'users:read'], { allowedNetworks: ['10.1.2.3/8', '::1'] })
    const [row] = (await maru.call(listPrograms, {}, person)).data.programs
    expect(row).toMatchObject({ scopes: ['users:read'], allowedNetworks: ['10.0.0.0/8', '::1/128'] })
    const [auditRow] = await sql(
      `select detail from audit_log where actor_id = $1 and action = 'program.create'`,
      [person.id],
    )
    expect(auditRow.detail).toMatchObject({ scopes: ['users:read'], allowedNetworks: ['10.1.2.3/8', '::1'] })
  })

  test('are refused if unknown, and networks if they are none', async () => {
    const before = await sql('select count(*) from program_tokens')
    for (const wrong of [
      { scopes: ['users:all'] },
      { allowedNetworks: ['10.0.0.0/33'] },
      { allowedNetworks: ['x'] },
      { allowedNetworks: Array.from({ length: 21 }, (_, i) => `10.0.0.${i}`) },
    ]) {
      const answer = await maru.callRaw(createProgram.path, { programName: 'wrong', ...wrong }, admin)
      expect([answer.status, answer.code]).toEqual([400, 'INPUT_INVALID'])
    }
    expect(await sql('select count(*) from program_tokens')).toEqual(before)
  })
})

describe('problems (rules/wire#problems)', () => {
  test('have a status by their code, the field and the request ID', async () => {
    const unknown = await plain(entryOf('getPartner'), { partnerCode: 'NONE-1' }, { token: all })
    expect(about(unknown)).toEqual([404, 'PARTNER_NOT_FOUND', undefined])
    expect(unknown.json).toMatchObject({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      requestId: unknown.headers['x-request-id'],
    })
    const taken = await plain(entryOf('checkPartnerCode'), { partnerCode: SAMPLE.partner }, { token: all })
    expect(about(taken)).toEqual([409, 'PARTNER_CODE_TAKEN', undefined])
    const field = await plain(entryOf('listUsers'), { perPage: 101 }, { token: all })
    expect(about(field)).toEqual([400, 'INPUT_INVALID', 'perPage'])
    expect((await plain(entryOf('listUsers'), {}, {})).headers['www-authenticate']).toBe('Bearer')
  })

  const wrong: [what: string, sent: Sent, status: number][] = [
    ['no JSON', { body: '{' }, 400],
    ['no object', { body: '[1]' }, 400],
    ['null', { body: 'null' }, 400],
    ['no UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 400],
    ['deep nesting', { body: '['.repeat(10_000) }, 400],
    ['__proto__', { body: '{"__proto__": {"page": 2}}' }, 400],
    ['constructor', { body: '{"constructor": {"prototype": {"a": 1}}}' }, 400],
    ['the envelope', { body: '{"DATA": "AAAA"}' }, 400],
    ['a wire name', { body: '{"PER_PAGE": 10}' }, 400],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415],
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['a huge body', { body: JSON.stringify({ keyword: 'x'.repeat(1_100_000) }) }, 413],
  ]
  test.each(wrong)('answer %s', async (_what, sent, status) => {
    const answer = await plain(entryOf('listUsers'), {}, { token: all, ...sent })
    expect(answer.status, answer.raw).toBe(status)
    expect(answer.json.code).toBeDefined()
  })

  test('answer 2,000 malformed bodies without a 500', async () => {
    const bodies = fc.oneof(
      fc.json({ maxDepth: 5 }),
      fc.string(),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    )
    const ofField = fc.tuple(fc.constantFrom(...offered), fc.nat(30), fc.json({ maxDepth: 2 }))
    const cases = fc.sample(fc.tuple(ofField, bodies, fc.boolean()), { numRuns: 2000, seed: 20_261_126 })
    for (const [[entry, index, json], body, replacesField] of cases) {
      const sample = plainSample(entry)
      const names = Object.keys(sample)
      const name = names[index % Math.max(1, names.length)]
      const sent =
        replacesField && name !== undefined
          ? JSON.stringify({ ...sample, [name]: JSON.parse(json) as unknown })
          : body
      const answer = await plain(entry, {}, { token: all, body: sent })
      expect(answer.status, `${entry.name} ${sent.toString()} ${answer.raw}`).toBeLessThan(500)
    }
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  }, 120_000)
})

describe('the OpenAPI document of plain calls', () => {
  test('is valid, without a token, and lists every offered call once', async () => {
    const response = await readDocument()
    expect(response.statusCode).toBe(200)
    const document = response.json<{ paths: Record<string, object> }>()
    const { valid, errors } = await new Validator().validate(document)
    expect(errors ?? [], JSON.stringify(errors)).toEqual([])
    expect(valid).toBe(true)
    expect(Object.keys(document.paths).toSorted()).toEqual(
      offered.map(({ domain, name }) => `${PLAIN_BASE}/${domain}/${name}`).toSorted(),
    )
  })

  test.each(offered)('describes the input, the output and the codes of $name', async (entry) => {
    const { domain, name } = entry
    const { paths } = (await readDocument()).json<{ paths: Record<string, { post: Documented }> }>()
    const { post } = paths[`${PLAIN_BASE}/${domain}/${name}`] ?? expect.unreachable()
    const sample = plainSample(entry)
    const { schema } = post.requestBody.content['application/json']
    expect(schema.additionalProperties).toBe(false)
    expect(isValid(schema, sample)).toEqual([])
    const answer = await plain(entry, sample, { token: all })
    const described = post.responses[String(answer.status)] ?? expect.unreachable(answer.raw)
    if (answer.status === 200)
      expect(isValid(described.content['application/json']?.schema ?? {}, answer.json)).toEqual([])
    else expect(described.description).toContain(answer.json.code)
  })
})

interface Documented {
  requestBody: { content: { 'application/json': { schema: Record<string, unknown> } } }
  responses: Record<
    string,
    { description: string; content: Record<string, { schema: Record<string, unknown> }> }
  >
}

/** Returns the errors of a value by its schema. */
function isValid(schema: Record<string, unknown>, value: unknown) {
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': ISO_TIME, email: true } })
  const check = ajv.compile(schema)
  return check(value) ? [] : check.errors
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00$/
