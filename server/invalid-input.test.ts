import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type * as z from 'zod/mini'
import { type Endpoint, maxBytesOf } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { catalogues } from '../contract/messages/index.ts'
import { ROLE } from '../contract/permissions.ts'
import { describeIssue } from '../contract/validation.ts'
import { fromWire, toWire, wireNames } from '../contract/wire.ts'
import { roles } from './db/seed/roles.ts'
import { isWithinJsonLimits } from './http/json-limits.ts'
import { type Answer, useMaru } from '../dev/test-kit/maru.ts'
import { SAMPLE, sampleOf } from '../dev/test-kit/samples.ts'
import { type ChangedRows, noteChangedRows } from '../dev/test-kit/changed-rows.ts'
import type { TestService } from '../dev/test-kit/people.ts'
import { bodyOf } from '../dev/test-kit/seal.ts'
import * as wrong from '../dev/test-kit/wrong-values.ts'

/*
 * Every field of every call of the contract with what does not belong there (rules/wire#input-text): a 4xx with a clear
 * sentence in both languages, nothing changed, never a 500. The cases come from the contract's schemas, so a call that
 * is added later is tested without a line here. The test asks the schemas about every case. The server gets each case
 * that they accept or never see, and one for each field and sentence of those that they refuse.
 */
const maru = useMaru()

const ROLES = ['admin', 'hr', 'user'] as const
type Role = (typeof ROLES)[number]
type Entry = (typeof endpoints)[number]

/** Expected result of the case: `refused` with INPUT_INVALID, or `survived` by any refusal or success. */
interface Case {
  label: string
  json: string
  expect: 'refused' | 'survived'
}

let service: TestService
/** Returns the changed rows, except those of attempt counters and send queues. */
let changes: () => Promise<ChangedRows>
const sessions = new Map<Role, string>()

beforeAll(async () => {
  await maru.createUser({ loginId: SAMPLE.userId, email: SAMPLE.email })
  await maru.createUser({ loginId: 'other.user' })
  await maru.createPartner({ code: SAMPLE.partner })
  service = await maru.createService()
  changes = await noteChangedRows(maru.owner, {
    apart: ['rate_limits', 'login_failures', 'migrations', 'mails'],
  })
  // Keep the count of wrong passwords at 1: a lock caused by one case would hide a defect that the next case finds.
  await maru.owner.query(`
    create function forget_failures() returns trigger language plpgsql as 'begin new.failures := 1; return new; end';
    create trigger forget_failures before insert or update on login_failures
      for each row execute function forget_failures();`)
  for (const role of ROLES) await signIn(role)
})

const calls = endpoints.map((entry) => ({ ...entry, path: entry.endpoint.path }))

describe.each(calls)('$path', (entry) => {
  const sentences = new Set<string>()
  test.each(ROLES)('as %s, bad input is a 4xx with a clear sentence and changes nothing', async (role) => {
    // Collected: an expectation for each of some ten thousand answers takes longer than the answers.
    const faults: string[] = []
    const attempt = async (bad: Case) => {
      const body = bodyOf(bad.json)
      const answer = await sendBody(entry, body, role)
      const { status, code = '', msg = '' } = answer
      if (!isRight(entry, bad, body, answer, role) || !isClear(answer))
        faults.push(`${entry.name}: ${bad.label} → ${status} ${code} ${msg}`)
      if (status === 200 || sentences.has(msg)) return answer
      sentences.add(msg)
      const english = await sendBody(entry, body, role, 'en')
      expect.soft(english.msg, `${bad.label} in English`).toMatch(/^[\x20-\x7e]+$/)
      return answer
    }
    const cases = casesOf(entry, role)
    const oneByOne = cases.filter((bad) => bad.expect === 'survived' && changesSomething(entry))
    const before = await changes()
    await atOnce(
      cases.filter((bad) => !oneByOne.includes(bad)),
      attempt,
    )
    expect(await changes()).toEqual(before)
    let asBefore = before
    for (const bad of oneByOne) {
      const { status } = await attempt(bad)
      const now = await changes()
      if (status !== 200) expect.soft(now, bad.label).toEqual(asBefore)
      else if (entry.endpoint.audit !== 'none') expect.soft(now, bad.label).not.toEqual(asBefore)
      // An accepted change is no bad input, and may have ended the session.
      const hasLostSession = OF_PEOPLE.some((table) => now[table] !== asBefore[table])
      if (hasLostSession) await signIn(role)
      asBefore = hasLostSession ? await changes() : now
    }
    expect(faults).toEqual([])
  })

  test('survives random JSON', async () => {
    await signIn('user')
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 4 }),
        fc.constantFrom(...fieldsOf(entry), null),
        async (json, field) => {
          const answer = await send(entry, field === null ? json : withField(entry, field, json), 'user')
          expect(answer.status, answer.raw).toBeLessThan(500)
        },
      ),
      { numRuns: 15, seed: 20_260_301 },
    )
  })

  test('rejects too many combining marks in any text before it is composed', async () => {
    const role = ROLES.find((each) => mayCall(entry, each)) ?? 'admin'
    const before = await changes()
    const composing = vi.spyOn(String.prototype, 'normalize')
    try {
      for (const text of [wrong.marks(31), wrong.marks(maxBytesOf(entry.endpoint) > 20_000 ? 60_000 : 5_000)])
        await atOnce(withEachText(wireSampleOf(entry), text), async ({ where, json }) => {
          const { status, code } = await send(entry, json, role)
          const about = `${text.length} characters in ${where}`
          expect.soft([status, code], about).toEqual([400, 'INPUT_INVALID'])
        })
      expect(composing.mock.contexts.map(String).filter((text) => /\p{M}{31}/u.test(text))).toEqual([])
    } finally {
      composing.mockRestore()
    }
    expect(await changes()).toEqual(before)
  })

  test('rejects a body past its limit with 413 without parsing it', async () => {
    const before = await changes()
    const session = sessions.get('admin')
    const rawBody = JSON.stringify({ DATA: 'A'.repeat(maxBytesOf(entry.endpoint)) })
    const answer = await maru.callRaw(entry.path, {}, { session, rawBody, token: service.token })
    expect([answer.status, answer.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(answer.msg).toMatch(/\p{Script=Hangul}/u)
    expect(await changes()).toEqual(before)
  })
})

/** Where an accepted call may have changed who asks. */
const OF_PEOPLE = ['users', 'sessions', 'password_history']

async function signIn(role: Role): Promise<void> {
  const { session, id } = await maru.createUser({ role })
  // The password re-entry for the user's own record stays valid throughout, so that a hole behind it would show.
  await maru.database.pool.query(
    `update sessions set password_checked_at = now() + interval '1 day' where user_id = $1`,
    [id],
  )
  sessions.set(role, session)
}

async function atOnce<T>(all: readonly T[], run: (each: T) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < all.length; i += 8) await Promise.all(all.slice(i, i + 8).map(run))
}

/** A code that is asked for stays on no record, but the one before it is dead; an upload has begun; a habit is kept. */
const OFF_RECORD = ['certifyEmail', 'beginUpload', 'saveSearch', 'renameSearch', 'removeSearch']

function changesSomething({ endpoint, name }: Entry): boolean {
  return endpoint.audit !== 'none' || OFF_RECORD.includes(name)
}

function casesOf(entry: Entry, role: Role): Case[] {
  const all = sentCasesOf(entry)
  // If the role may not make the call, the server refuses it before it reads the input: a few cases show that.
  if (!mayCall(entry, role)) return all.slice(0, 3)
  if (role === 'admin') return all
  // The schema refuses the same input for every role, and a public call requires no role: a sample of those cases is
  // enough. Input that a handler checks is sent by the administrator and by one of the other roles, in rotation.
  const isLookedAt = (bad: Case) => bad.expect === 'survived' && entry.endpoint.access !== 'public'
  const others = ROLES.filter((each) => each !== 'admin' && mayCall(entry, each))
  const inTurn = all.filter(isLookedAt).filter((_, i) => i % others.length === others.indexOf(role))
  return [...all.filter((bad, i) => !isLookedAt(bad) && i % 6 === 0), ...inTurn]
}

const sentCases = new Map<string, Case[]>()

/**
 * Returns the cases that the server gets: all that the schema accepts or never sees, and of those that it refuses the
 * first for each field and sentence, which the server must refuse too.
 * @throws {Error} if the schema accepts a case that must be refused
 */
function sentCasesOf(entry: Entry): Case[] {
  const { path } = entry.endpoint
  const known = sentCases.get(path)
  if (known !== undefined) return known
  const seen = new Set<string>()
  const cases = allCasesOf(entry).flatMap((bad) => {
    const sentence = schemaSentenceOf(entry, bad.json)
    if (sentence === 'accepted' && bad.expect === 'refused')
      throw new Error(`${entry.name}: the schema accepts ${bad.label}`)
    if (sentence === 'accepted' || sentence === 'unseen') return [bad]
    if (seen.has(sentence)) return []
    seen.add(sentence)
    return [refused(bad.label, bad.json)]
  })
  sentCases.set(path, cases)
  return cases
}

/** Returns the field and sentence of the schema's refusal, `accepted`, or `unseen` if the input is refused before. */
function schemaSentenceOf({ endpoint }: Entry, json: string): string {
  if (json.length > maxBytesOf(endpoint) / 2 || !isWithinJsonLimits(Buffer.from(json))) return 'unseen'
  const { error } = endpoint.input.safeParse(fromWire(endpoint, JSON.parse(json)))
  if (error === undefined) return 'accepted'
  const [issue] = error.issues
  if (issue === undefined) throw new Error('a refusal without an issue')
  const { field, msg } = describeIssue(catalogues.ko, issue)
  return `${field} ${msg}`
}

function mayCall({ endpoint: { access } }: Entry, role: Role): boolean {
  if (typeof access === 'string') return true
  const held = roles.find(({ code }) => code === ROLE[role])?.functions ?? []
  return access.function.some((name) => held.includes(name))
}

function allCasesOf(entry: Entry): Case[] {
  const sample = wireSampleOf(entry)
  const unknown = { ...sample, IS_ADMIN: true }
  const cases: Case[] = [
    ...wrong.NO_INPUT.map(({ label, json }) => refused(`the whole is ${label}`, json)),
    refused('an unknown field', JSON.stringify(unknown)),
    refused('a field in lower case', JSON.stringify({ ...sample, userId: 'x' })),
    refused('a field by its name in the code', JSON.stringify({ ...sample, userId: 'x' })),
    refused('constructor', JSON.stringify({ ...sample, constructor: { prototype: { x: 1 } } })),
    refused('__proto__', withField(entry, '__proto__', '{"IS_ADMIN":true}')),
  ]
  for (const field of fieldsOf(entry)) {
    const replace = (expected: Case['expect']) => (by: wrong.WrongValue) => ({
      label: `${field} = ${by.label}`,
      json: withField(entry, field, by.json),
      expect: expected,
    })
    const never = mayBeNull(entry, field) ? wrong.NEVER.filter(({ label }) => label !== 'null') : wrong.NEVER
    const isNumber = typeof sample[toWireName(entry, field)] === 'number'
    cases.push(...never.map((by) => replace(isListOf(entry, field, by) ? 'survived' : 'refused')(by)))
    cases.push(...(isNumber ? wrong.NO_NUMBER : wrong.NO_TEXT).map(replace('refused')))
    if (isNumber) continue
    cases.push(
      ...wrong.NO_TEXT_AT_ALL.map(replace(isOnlyCompared(entry, field) ? 'survived' : 'refused')),
      ...[...wrong.STRANGE_TEXT, { label: 'another user', json: '"other.user"' }].map(replace('survived')),
    )
  }
  const [text] = fieldsOf(entry).filter((field) => typeof sample[toWireName(entry, field)] === 'string')
  if (text !== undefined) {
    const { label, json } = wrong.NEARLY_A_MEGABYTE
    const expected = isOnlyCompared(entry, text) ? 'survived' : 'refused'
    cases.push({ label: `${text} = ${label}`, json: withField(entry, text, json), expect: expected })
  }
  for (const field of requiredOf(entry)) {
    const { [toWireName(entry, field)]: _, ...rest } = sample
    cases.push(refused(`${field} left out`, JSON.stringify(rest)))
  }
  return cases
}

function refused(label: string, json: string): Case {
  return { label, json, expect: 'refused' }
}

function isRight(entry: Entry, bad: Case, body: string, { status, code }: Answer, role: Role): boolean {
  if (!mayCall(entry, role)) return code === 'FORBIDDEN' || code === 'FUNCTION_DENIED'
  if (body.length > maxBytesOf(entry.endpoint)) return status === 413 && code === 'PAYLOAD_TOO_LARGE'
  if (bad.expect === 'refused') return status === 400 && code === 'INPUT_INVALID'
  // A session that is dead would make every case look refused.
  return status < 500 && status !== 401
}

/** A refusal has a sentence for a person: in Korean, and neither a key of the catalogue nor the words of a library. */
function isClear({ status, code, msg = '' }: Answer): boolean {
  return status === 200 || (/^[A-Z_]+$/.test(code ?? '') && /\p{Script=Hangul}/u.test(msg))
}

type ObjectSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>

function fieldsOf({ endpoint, name }: Entry): string[] {
  const { shape } = endpoint.input as ObjectSchema
  if (shape === undefined) throw new Error(`${name}: the input is no object`)
  return Object.keys(shape)
}

function requiredOf({ endpoint }: Entry): string[] {
  const { shape } = endpoint.input as ObjectSchema
  return Object.keys(shape).filter((field) => !fieldAccepts(endpoint, field, undefined))
}

function fieldAccepts({ input }: Endpoint, field: string, value: unknown): boolean {
  return (input as ObjectSchema).shape[field]?.safeParse(value).success === true
}

/** A notice's text may be null on the wire and counts as empty; null in a limit is -1 there. */
function mayBeNull({ endpoint }: Entry, field: string): boolean {
  return !wireNames(endpoint).isLimit(field) && fieldAccepts(endpoint, field, null)
}

/** A list of people or codes takes lists like it; whom they name is another matter. */
function isListOf({ endpoint }: Entry, field: string, { label, json }: wrong.WrongValue): boolean {
  return /^an (empty )?array( of the like)?$/.test(label) && fieldAccepts(endpoint, field, JSON.parse(json))
}

/** Compared with what the server keeps and never kept itself: it may hold anything, and then fits nothing. */
function isOnlyCompared({ endpoint }: Entry, field: string): boolean {
  return /password$/i.test(field) && fieldAccepts(endpoint, field, 'x')
}

const toWireName = ({ endpoint }: Entry, field: string) => wireNames(endpoint).toWire(field)

const wireSamples = new Map<string, Record<string, unknown>>()

/** The call's sample under the names of the wire. */
function wireSampleOf(entry: Entry): Record<string, unknown> {
  const { path } = entry.endpoint
  const sample = wireSamples.get(path) ?? (toWire(entry.endpoint, sampleOf(entry)) as Record<string, unknown>)
  wireSamples.set(path, sample)
  return sample
}

/** The call's sample as JSON, one field replaced by JSON that need not be a value. */
function withField(entry: Entry, field: string, json: string): string {
  const replaced = toWireName(entry, field)
  const fields = { ...wireSampleOf(entry), [replaced]: null }
  const pairs = Object.entries(fields)
    // Left out of this call's sample.
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}:${key === replaced ? json : JSON.stringify(value)}`)
  if (field === '__proto__') pairs.push(`"__proto__":${json}`)
  return `{${pairs.join(',')}}`
}

/** The sample as JSON once for each text in it, however deep, with another in its place. */
function withEachText(sample: unknown, text: string): { where: string; json: string }[] {
  if (typeof sample === 'string') return [{ where: '', json: JSON.stringify(text) }]
  if (typeof sample !== 'object' || sample === null) return []
  return Object.entries(sample).flatMap(([key, value]) =>
    withEachText(value, text).map(({ where, json }) => {
      const changed = Array.isArray(sample) ? [...(sample as unknown[])] : { ...sample }
      return {
        where: `${key} ${where}`,
        json: JSON.stringify(Object.assign(changed, { [key]: JSON.parse(json) as unknown })),
      }
    }),
  )
}

const send = (entry: Entry, json: string, role: Role) => sendBody(entry, bodyOf(json), role)

function sendBody(
  { endpoint }: Entry,
  rawBody: string,
  role: Role,
  language: 'ko' | 'en' = 'ko',
): Promise<Answer> {
  const session = sessions.get(role)
  return maru.callRaw(endpoint.path, {}, { session, language, rawBody, token: service.token })
}
