import { beforeAll, expect } from 'vitest'
import { endpoints } from '../../contract/index.ts'
import { BRANCH_FUNCTIONS, FUNCTIONS } from '../../contract/permissions.ts'
import { type Answer, type TestMaru, useMaru } from './maru.ts'
import type { TestUser } from './people.ts'
import { fieldsOf, SAMPLE, sampleOf } from './samples.ts'

/*
 * Every call by an actor with every branch permission, in two databases whose branch A is alike and whose branch B differs in content and
 * number. Equal answers show that nothing of another branch reaches the actor (rules/roles#branch-roles).
 */
export const worlds = [useMaru(), useMaru()] as const

/**
 * Options of the test file, to set before its tests. With `isExternal` the actors are users of another company, whose
 * role has every permission, instead of holders of a branch role.
 */
export const options = { isExternal: false }

/** Code of the role of the actors. */
export const ROLE_OF_BRANCH = 'AUT950'
/** Affiliations of branch A: one, and one below it. */
const A = ['BEL002', 'BEL003'] as const
/** Affiliations of branch B. */
export const B = ['BEL004', 'BEL005'] as const
/** A word in every text of branch B, by database. A response that contains it shows a record of B. */
const WORDS = ['을지문덕', '병자호란'] as const
/** Login ID and partner code of the records of B that both databases have. */
export const OF_B = { userId: 'b.user', partner: 'B-1' }

/** Runs a statement in one of the databases as the application role, and returns its rows. */
export const sql = async (maru: TestMaru, text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

/** Fields that name a record of B, and its value. */
interface RecordsOfB {
  noticeId: string
  commentId: string
  keyId: string
  requestId: string
  id: string
  teamId: string
}
/** IDs of the records of B, which are the same in both databases. */
export let ofB: RecordsOfB

beforeAll(async () => {
  const made = []
  for (const [index, maru] of worlds.entries()) made.push(await build(maru, index))
  // The same records in both databases, so that the same input names them.
  expect(made[1]).toEqual(made[0])
  ofB = made[0] as RecordsOfB
})

/**
 * Creates both branches, and returns the IDs of B's records. The second database has ten times as many records of B, with other
 * words.
 */
async function build(maru: TestMaru, index: number): Promise<RecordsOfB> {
  const word = WORDS[index] ?? ''
  const run = (text: string, values: unknown[] = []) => sql(maru, text, values)
  await run(`update codes set parent_code = $1 where code = $2 and group_code = 'COMBEL001'`, [...A])
  await run(`update codes set parent_code = $1 where code = $2 and group_code = 'COMBEL001'`, [...B])
  await run(
    `insert into roles (code, group_name, name_en, sort_order, span) values ($1, '지사 담당', 'Branch', 9, 'branch'),
      ($2, '명부 담당', 'Registrar', 10, 'all')`,
    [ROLE_OF_BRANCH, SAMPLE.role],
  )
  await run(`insert into role_functions select $1, unnest($2::text[])`, [
    ROLE_OF_BRANCH,
    options.isExternal ? FUNCTIONS : BRANCH_FUNCTIONS,
  ])
  if (options.isExternal) {
    await run(`update roles set span = 'all' where code = $1`, [ROLE_OF_BRANCH])
    await run(`update codes set is_external = true where code = $1`, [A[0]])
  }
  await maru.createPartner({ code: 'A-1', affiliation: A[0] })
  await maru.createPartner({ code: 'A-2', affiliation: A[1] })
  for (const n of [1, 2, 3]) await member(maru, `a.user${n}`, A[n % 2] ?? '', `갑을${n}`, 'A-1')
  await maru.createPartner({ code: OF_B.partner, affiliation: B[0] })
  await run(`update partners set name = $1, memo = $1, contact = $1, limit_day = $2 where code = $3`, [
    word,
    index * 7 + 3,
    OF_B.partner,
  ])
  const user = await member(maru, OF_B.userId, B[0], word, OF_B.partner)
  await run(`update users set position = $1, email = $2, phone_number = $3 where id = $4`, [
    word,
    `b${index}@example.com`,
    `0109999000${index}`,
    user.id,
  ])
  const [notice] = await run(
    `insert into notices (bullet_code, title, memo, memo_text, author_id, published_at, audience_affiliations, must_read)
      values ('BULLET001', $1, $1, $1, $2, now(), $3, true) returning id::text`,
    [word, user.id, options.isExternal ? null : [...B]],
  )
  const [comment] = await run(
    `insert into notice_comments (notice_id, author_id, body) values ($1, $2, $3) returning id::text`,
    [notice?.id, user.id, word],
  )
  const [key] = await run(
    `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
      select $1, $2, id, affiliation_code, province_name, district_name from partners where code = $3 returning id::text`,
    [user.id, `key-${index}`, OF_B.partner],
  )
  const [request] = await run(
    `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
      values ($1, $2, $3, $4, $5, 'affiliation', $6) returning id::text`,
    [user.id, OF_B.userId, word, `b${index}@example.com`, B[0], A[0]],
  )
  const [team] = await run(
    `insert into teams (affiliation_code, name, name_en) values ($1, $2, $2) returning id::text`,
    [B[0], word],
  )
  await run(`insert into user_teams values ($1, $2, true)`, [user.id, team?.id])
  if (index === 1) await multiply(maru, user.id)
  return {
    noticeId: String(notice?.id),
    commentId: String(comment?.id),
    keyId: String(key?.id),
    requestId: String(request?.id),
    id: user.id,
    teamId: String(team?.id),
  }
}

/** Adds nine copies of every record of B under numbers that no sequence reaches, so that both databases count on alike. */
async function multiply(maru: TestMaru, id: string): Promise<void> {
  const copy = (table: string, where: string, changes: string) =>
    sql(
      maru,
      `insert into ${table} overriding system value
        select (jsonb_populate_record(t, ${changes})).* from ${table} t, generate_series(1, 9) as n where ${where}`,
      [id],
    )
  const number = `jsonb_build_object('id', 1000000 + n)`
  await copy(
    'partners',
    `code = '${OF_B.partner}' and $1 <> ''`,
    `${number} || jsonb_build_object('code', 'B-X' || n)`,
  )
  await copy(
    'users',
    't.id = $1::bigint',
    `${number} || jsonb_build_object('login_id', 'b.other' || n, 'email', 'b.other' || n || '@example.com', 'approval_code',
      case when n % 2 = 0 then 'MEMAP002' else t.approval_code end)`,
  )
  await copy('notices', 't.author_id = $1::bigint', number)
  await copy(
    'teams',
    `affiliation_code = '${B[0]}' and $1 <> ''`,
    `${number} || jsonb_build_object('name', name || n)`,
  )
  await sql(
    maru,
    `insert into issued_keys (id, user_id, request_key, partner_id, affiliation_code, province_name, district_name)
      overriding system value select 1000000 + n, user_id, 'other' || n, partner_id, affiliation_code, province_name, district_name
      from issued_keys, generate_series(1, 9) as n where user_id = $1`,
    [id],
  )
  await sql(
    maru,
    `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind)
      overriding system value select id, login_id, name, email, affiliation_code, 'account' from users where id > 1000000 and $1 <> ''`,
    [id],
  )
}

/** Creates a user with a partner. */
async function member(
  maru: TestMaru,
  loginId: string,
  affiliation: string,
  name: string,
  partner: string,
): Promise<TestUser> {
  const user = await maru.createUser({ loginId, affiliation, name })
  await sql(maru, `update users set partner_id = (select id from partners where code = $1) where id = $2`, [
    partner,
    user.id,
  ])
  return user
}

/**
 * Returns an input with other values of the fields of these names, at any depth. Fields that the input lacks are not
 * added.
 */
function withFields(input: unknown, values: Record<string, unknown>): unknown {
  if (Array.isArray(input)) return input.map((entry) => withFields(entry, values))
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      name in values ? values[name] : withFields(value, values),
    ]),
  )
}

/** Returns the values of each field that name a record of B, or a text that only a record of B has. */
function valuesOfB(): Record<string, unknown[]> {
  const { noticeId, commentId, keyId, requestId, teamId } = ofB
  return {
    userId: [OF_B.userId],
    originalUserId: [OF_B.userId],
    loginId: [OF_B.userId],
    userIds: [[OF_B.userId], ['a.user2', OF_B.userId]],
    recordId: [OF_B.userId, OF_B.partner, noticeId],
    partnerCode: [OF_B.partner, 'B-'],
    affiliationCode: [B[0], B[1]],
    teamId: [teamId, '999999'],
    otherTeamIds: [[teamId], ['999999']],
    parentId: [teamId, '999999'],
    audienceAffiliations: [[B[0]]],
    noticeId: [noticeId],
    commentId: [commentId],
    keyId: [keyId],
    keyIds: [[keyId]],
    requests: [[requestId]],
    partners: [[{ affiliationCode: B[0], partnerCode: OF_B.partner }]],
    keyword: [...WORDS, '@example.com', '010'],
    name: [...WORDS],
    requesterName: [...WORDS],
    phoneNumber: ['01099990000', '01099990001', '0109999'],
  }
}

/** Returns a response without the parts that differ between two calls anyway: times, tokens, digests. */
const maskVariableParts = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/g, 'TIME')
    .replaceAll(/[\w-]{43}|[A-Z2-7]{32}/g, 'TOKEN')
    .replaceAll(/"version":"[^"]*"/g, '"version":""')
    .replaceAll(/"(idleSeconds|absoluteSeconds)":\d+/g, '"$1":0')

/** Returns a response as a text that must be the same in both databases. Includes the bytes of a file. */
const toComparableText = ({ status, code, field, data, raw }: Answer) =>
  maskVariableParts(
    JSON.stringify({ status, code, field, data, file: data === undefined && status === 200 ? raw : '' }),
  )

/** Returns digests of all rows of B. */
const stateOfB = (maru: TestMaru) =>
  sql(
    maru,
    `select (select md5(string_agg(u::text, '' order by id)) from users u where affiliation_code = any($1)) as users,
      (select md5(string_agg(p::text, '' order by id)) from partners p where affiliation_code = any($1)) as partners,
      (select md5(string_agg(n::text, '' order by n.id)) from notices n join users a on a.id = n.author_id where a.affiliation_code = any($1)) as notices,
      (select md5(string_agg(c::text, '' order by c.id)) from notice_comments c join users u on u.id = c.author_id
        where u.affiliation_code = any($1)) as comments,
      (select md5(string_agg(concat(t::text, m::text), '' order by t.id, m.user_id)) from teams t left join user_teams m on m.team_id = t.id
        where t.affiliation_code = any($1)) as teams,
      (select md5(string_agg(k::text, '' order by id)) from issued_keys k where affiliation_code = any($1)) as keys,
      (select md5(string_agg(r::text, '' order by id)) from approval_requests r where affiliation_code = any($1)) as requests`,
    [[...B]],
  )

/** Number of calls of `differences`, so that each creates other names. */
let count = 0
/** Number of compared responses. */
export let answers = 0

/** Returns an input in which the names of new records are not in use. */
const withFresh = (input: unknown): unknown =>
  JSON.parse(
    JSON.stringify(input)
      .replaceAll('a.free.id', `a.new${answers}`)
      .replaceAll('new@example.com', `a.new${answers}@example.com`)
      .replaceAll('SAMPLE-2', `A-NEW${answers}`),
  )

/** Fields that filter a list, without a filter, for `inputsOf`. */
const UNFILTERED = {
  affiliationCode: '',
  teamId: '',
  partnerCode: '',
  keyword: '',
  name: '',
  requesterName: '',
  phoneNumber: '',
}

/**
 * Returns the inputs of a call: about records of A alone, without a filter, and both with each field, and with all, replaced by each value
 * of B. Leaves out a version where it may be absent, because a wrong one is refused before anything is read.
 */
function inputsOf(entry: (typeof endpoints)[number], own: Record<string, unknown>): unknown[] {
  const isGood = (input: unknown) => entry.endpoint.input.safeParse(input).success
  const unversioned = withFields(sampleOf(entry), { version: undefined })
  const sample = withFields(isGood(unversioned) ? unversioned : sampleOf(entry), own)
  const bases = [sample, withFields(sample, UNFILTERED)].filter(isGood)
  const names = new Set(fieldsOf(sample))
  const named = Object.entries(valuesOfB()).filter(([name]) => names.has(name))
  const single = named.flatMap(([name, values]) => values.map((value) => ({ [name]: value })))
  const all = Object.fromEntries(named.map(([name, [value]]) => [name, value]))
  const inputs = bases.flatMap((base) => [
    base,
    ...[...single, all].map((values) => withFields(base, values)),
  ])
  return [...new Map(inputs.filter(isGood).map((input) => [JSON.stringify(input), input])).values()]
}

/**
 * Makes a call with every input in both databases.
 * @returns a line for each difference of the responses, for each text of B in one, and for a change of B's rows; empty if nothing
 * of B reached the actor
 */
export async function differences(entry: (typeof endpoints)[number]): Promise<string[]> {
  count += 1
  const loginId = `a.made${count}`
  const actors: TestUser[] = []
  const own: Record<string, unknown> = {
    userId: loginId,
    originalUserId: loginId,
    userIds: [loginId],
    recordId: loginId,
    affiliationCode: A[0],
    partnerCode: 'A-1',
    partners: [{ affiliationCode: A[0], partnerCode: 'A-1' }],
  }
  for (const maru of worlds) {
    const actor = await maru.createUser({ loginId: `a.actor${count}`, affiliation: A[0], name: '지사장' })
    await sql(maru, 'update users set role_code = $1 where id = $2', [ROLE_OF_BRANCH, actor.id])
    await sql(maru, 'update sessions set password_checked_at = now() where user_id = $1', [actor.id])
    await member(maru, loginId, A[1], '갑을병', 'A-2')
    actors.push(actor)
  }
  const found: string[] = []
  const before = await Promise.all(worlds.map(stateOfB))
  const isNew = /^\/(stm|pid)\/v1\/(ins|check|chk|signup)|^\/aff\/v1\/ins/.test(entry.endpoint.path)
  for (const input of inputsOf(entry, isNew ? { affiliationCode: A[0] } : own)) {
    const fresh = withFresh(input)
    const [one, two] = await Promise.all(
      worlds.map((maru, index) => maru.callRaw(entry.endpoint.path, fresh, actors[index])),
    )
    if (one === undefined || two === undefined) throw new Error('There are two databases')
    answers += 1
    const asked = JSON.stringify(input)
    if (toComparableText(one) !== toComparableText(two))
      found.push(`${asked}: ${toComparableText(one)} ≠ ${toComparableText(two)}`)
    for (const [index, answer] of [one, two].entries()) {
      const text = answer.raw + JSON.stringify(answer.data ?? {})
      const word = WORDS[index] ?? ''
      if (text.includes(word) && !asked.includes(word)) found.push(`${asked} says ${word}`)
    }
  }
  const after = await Promise.all(worlds.map(stateOfB))
  if (JSON.stringify(after) !== JSON.stringify(before)) found.push('changed B')
  return found
}
