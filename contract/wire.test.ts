import * as z from 'zod/mini'
import { describe, expect, test, vi } from 'vitest'
import { endpoints } from './index.ts'
import { login } from './account.ts'
import { checkPartnerCode, getPartner } from './partners.ts'
import { getUser, listEnding, listUsers } from './users.ts'
import { checkImport } from './users/import.ts'
import { fieldsOf, fromWire, toWire, wireNames } from './wire.ts'

/** Every field of every call. */
const fields = endpoints.flatMap(({ endpoint }) =>
  [endpoint.input, endpoint.output].flatMap((schema) =>
    fieldsOf(schema).map((field) => ({ ...field, endpoint, path: endpoint.path })),
  ),
)

/** A call with one field of each kind. */
const sample = {
  path: '/sample',
  input: z.object({
    isNew: z.boolean(),
    pinned: z.boolean(),
    includeAll: z.boolean(),
    memo: z.nullable(z.string()),
    maxKeysTotal: z.nullable(z.number()),
    sort: z.string(),
    roles: z.array(z.string()),
    requestedAt: z.string(),
    firstAt: z.string(),
  }),
  output: z.object({}),
} as const

describe('names on the wire (rules/wire#names)', () => {
  test('maps every field of the contract to a wire name and back', () => {
    for (const { endpoint, path, name } of fields) {
      const { toWire: nameOf, fromWire: back } = wireNames(endpoint)
      expect.soft([path, nameOf(name)]).toEqual([path, expect.stringMatching(/^[A-Z][A-Z0-9_]*$/)])
      expect.soft([path, back(nameOf(name))]).toEqual([path, name])
    }
  })

  test.each(['userId', 'AFFILIATION_CODE', 'user_id', 'USER__ID', '', '__proto__'])(
    'has no wire name %j',
    (name) => {
      const read = fromWire(getUser, JSON.parse(`{${JSON.stringify(name)}:"x"}`)) as object
      expect(Object.keys(read)).toEqual([`?${name}`])
    },
  )

  test('ends the name of a time in _DATETIME and that of an array in _LIST', () => {
    const { toWire: nameOf, fromWire: back } = wireNames(sample)
    const names = ['requestedAt', 'firstAt', 'roles']
    expect(names.map(nameOf)).toEqual(['REQUEST_DATETIME', 'FIRST_DATETIME', 'ROLE_LIST'])
    expect(names.map((name) => back(nameOf(name)))).toEqual(names)
    expect(back('REQUESTED_AT')).toBe('?REQUESTED_AT')
  })

  test('allows a call its own wire name for a field', () => {
    expect(toWire(login, { loginId: 'kim', password: 'x' })).toEqual({ ID: 'kim', PW: 'x' })
    expect(fromWire(checkPartnerCode, { ID: 'AB' })).toEqual({ partnerCode: 'AB' })
  })

  test('translates the value of a field that names a field', () => {
    expect(toWire(listUsers, { sort: 'registeredAt' })).toEqual({ SORT: 'REGSTER_DATETIME' })
    expect(fromWire(listUsers, { SORT: 'registeredAt' })).toEqual({ sort: '?registeredAt' })
  })
})

describe('values on the wire (rules/wire#values)', () => {
  test('writes a boolean as Y or N, and takes true and false for includeAll alone', () => {
    expect(toWire(sample, { pinned: true, isNew: false })).toEqual({ PINNED: 'Y', NEW: 'N' })
    expect(fromWire(sample, { PINNED: 'N', NEW: true })).toEqual({ pinned: false, isNew: 'true' })
    expect(fromWire(sample, { IS_ALL: true })).toEqual({ includeAll: true })
  })

  test('writes no limit as -1', () => {
    expect(toWire(sample, { maxKeysTotal: null, memo: null })).toEqual({ TOTAL_KEY_NUM: -1, MEMO: null })
    expect(fromWire(sample, { TOTAL_KEY_NUM: -1 })).toEqual({ maxKeysTotal: null })
    expect(fromWire(sample, { TOTAL_KEY_NUM: null })).toEqual({ maxKeysTotal: Number.NaN })
  })

  test('writes a missing partner limit as -1 and an unlimited account’s days as null', () => {
    expect(toWire(getPartner, { maxKeysPerDay: null })).toEqual({ MAX_KEY_NUM_DAY: -1 })
    expect(toWire(listEnding, { daysLeft: null })).toEqual({ DAYS_LEFT: null })
  })

  test('reads no more made-up names than a call has fields, and no long ones', () => {
    const made = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`MADE_UP_${i}`, i]))
    const rows = [{ NAME: '홍길동' }, made, { NAME: '김민서', ['A'.repeat(101)]: 1 }]
    const composing = vi.spyOn(String.prototype, 'toLowerCase')
    const { rows: read } = fromWire(checkImport, { ROWS: rows }) as { rows: object[] }
    expect(composing.mock.calls.length).toBeLessThan(600)
    composing.mockRestore()
    expect(read[0]).toEqual({ name: '홍길동' })
    expect(read[1]).toHaveProperty('?')
    expect(read[2]).toEqual({ name: '김민서', '?': 1 })
  })

  test('leaves input that nests deeper than any call to the schema', () => {
    const deep = JSON.parse(`${'{"A":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as unknown
    expect(() => fromWire(getUser, deep)).not.toThrow()
  })
})
