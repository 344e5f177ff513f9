import { readdirSync, readFileSync } from 'node:fs'
import type * as z from 'zod/mini'
import { describe, expect, test, vi } from 'vitest'
import { endpoints } from './index.ts'
import { fromWire, isFlag, isLimit, toWire, wireNames } from './wire.ts'

/** A field of a call by its name in the code. */
interface Field {
  path: string
  name: string
  schema: z.ZodMiniType
}

interface Definition {
  type: string
  shape?: Record<string, z.ZodMiniType>
  [inner: string]: unknown
}

function definitionOf(schema: unknown): Definition {
  return (schema as { _zod: { def: Definition } })._zod.def
}

/** Every field of a schema, however deep. */
function fieldsOf(path: string, schema: z.ZodMiniType): Field[] {
  const { shape, ...inner } = definitionOf(schema)
  const fields = Object.entries(shape ?? {}).map(([name, field]) => ({ path, name, schema: field }))
  const parts = [...Object.values(shape ?? {}), ...Object.values(inner).flat()].filter(
    (part): part is z.ZodMiniType =>
      typeof part === 'object' && part !== null && '_zod' in part && 'parse' in part,
  )
  return [...fields, ...parts.flatMap((part) => fieldsOf(path, part))]
}

/** What a field holds when it is there. */
function typeOf(schema: z.ZodMiniType): string {
  const { type, innerType } = definitionOf(schema)
  return innerType === undefined ? type : typeOf(innerType as z.ZodMiniType)
}

const fields = endpoints.flatMap(({ endpoint: { path, input, output } }) => [
  ...fieldsOf(path, input),
  ...fieldsOf(path, output),
])

/** All pages of the rules: each noun's has its calls and the names that only they use. */
const folder = new URL('../docs/rules/', import.meta.url)
const rules = readdirSync(folder)
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')

describe('names on the wire (rules/wire#names)', () => {
  test('every field of the contract has a wire name that maps back to it', () => {
    for (const { path, name } of fields) {
      const { toWire: nameOf, fromWire: back } = wireNames(path)
      expect.soft([path, nameOf(name)]).toEqual([path, expect.stringMatching(/^[A-Z][A-Z0-9_]*$/)])
      expect.soft([path, back(nameOf(name))]).toEqual([path, name])
    }
  })

  test('the tables of the rules list exactly the fields of the contract', () => {
    const named = [...rules.matchAll(/^\| `([A-Z][A-Z0-9_]*)` \| `(\w+)` \|/gm)].map(
      ([, wire, name]) => `${wire} ${name}`,
    )
    // The bytes of a file are a part of a form, and of no schema.
    const present = new Set([
      'FILE_0 file',
      ...fields.map(({ path, name }) => `${wireNames(path).toWire(name)} ${name}`),
    ])
    expect(named.toSorted()).toEqual([...present].toSorted())
  })

  test('the tables of calls in the rules list what each call asks and answers', () => {
    const rows = rules.matchAll(/^\| `(\/\w+\/v1\/[\w/]+)` [^|]*\|[^|]*\|([^|]*)\|([^|]*)\|$/gm)
    const written = new Map(
      [...rows].map(([, path, ...cells]) => [
        path,
        cells.map((cell) => new Set(Array.from(cell.matchAll(/`([A-Z][A-Z0-9_]*)`/g), ([, name]) => name))),
      ]),
    )
    for (const { endpoint } of endpoints) {
      const { path, input, output } = endpoint
      const names = [input, output].map(
        (schema) => new Set(fieldsOf(path, schema).map(({ name }) => wireNames(path).toWire(name))),
      )
      expect.soft([path, written.get(path)]).toEqual([path, names])
    }
  })

  test.each(['userId', 'AFFILIATION_CODE', 'user_id', 'USER__ID', '', '__proto__'])(
    '%j is not a wire name',
    (name) => {
      const read = fromWire('/stm/v1/user', JSON.parse(`{${JSON.stringify(name)}:"x"}`)) as object
      expect(Object.keys(read)).toEqual([`?${name}`])
    },
  )

  test('a call may have its own wire name for a field', () => {
    expect(toWire('/stm/v1/login', { loginId: 'kim', password: 'x' })).toEqual({ ID: 'kim', PW: 'x' })
    expect(fromWire('/pid/v1/chk/PartnerInfo', { ID: 'AB' })).toEqual({ partnerCode: 'AB' })
  })

  test('a field whose value names a field holds a wire name', () => {
    expect(toWire('/stm/v1/users', { sort: 'registeredAt' })).toEqual({ SORT: 'REGSTER_DATETIME' })
    expect(fromWire('/stm/v1/users', { SORT: 'registeredAt' })).toEqual({ sort: '?registeredAt' })
  })
})

describe('values on the wire (rules/wire#values)', () => {
  test('exactly the boolean fields are flags', () => {
    for (const { path, name, schema } of fields) {
      expect.soft([path, name, isFlag(name)]).toEqual([path, name, typeOf(schema) === 'boolean'])
    }
  })

  test('exactly the numbers that may be null are limits, but for the days that an account has left', () => {
    for (const { path, name, schema } of fields) {
      const { type } = definitionOf(schema)
      // A cell of a file is text, as it stands there: it holds no number, and nothing is made of it on the way.
      if (path.endsWith('/import') && isLimit(name) && typeOf(schema) === 'string') continue
      const mayBeNull = type === 'nullable' && typeOf(schema) === 'number'
      expect.soft([path, name, isLimit(name)]).toEqual([path, name, mayBeNull && name !== 'daysLeft'])
    }
  })

  test('flags are Y and N, and only includeAll may be true or false', () => {
    expect(toWire('/bmt/v1/get/noticeInfo', { pinned: true, isNew: false })).toEqual({
      PINNED: 'Y',
      NEW: 'N',
    })
    expect(fromWire('/bmt/v1/get/noticeInfo', { PINNED: 'N', MUST_READ: true })).toEqual({
      pinned: false,
      mustRead: 'true',
    })
    expect(fromWire('/cm/v1/codes', { IS_ALL: true })).toEqual({ includeAll: true })
  })

  test('no limit is -1', () => {
    expect(toWire('/pid/v1/get/PartnerInfo', { maxKeysPerDay: null, memo: null })).toEqual({
      MAX_KEY_NUM_DAY: -1,
      MEMO: null,
    })
    expect(fromWire('/pid/v1/ins/PartnerInfo', { TOTAL_KEY_NUM: -1 })).toEqual({ maxKeysTotal: null })
    expect(fromWire('/pid/v1/ins/PartnerInfo', { TOTAL_KEY_NUM: null })).toEqual({ maxKeysTotal: Number.NaN })
    expect(isLimit('maxKeysTotal')).toBe(true)
  })

  test('of names that are made up no more are looked at than a call has, and no long ones', () => {
    const made = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`MADE_UP_${i}`, i]))
    const rows = [{ NAME: '홍길동' }, made, { NAME: '김민서', ['A'.repeat(101)]: 1 }]
    const composing = vi.spyOn(String.prototype, 'toLowerCase')
    const { rows: read } = fromWire('/stm/v1/chk/import', { ROWS: rows }) as { rows: object[] }
    expect(composing.mock.calls.length).toBeLessThan(600)
    composing.mockRestore()
    expect(read[0]).toEqual({ name: '홍길동' })
    expect(read[1]).toHaveProperty('?')
    expect(read[2]).toEqual({ name: '김민서', '?': 1 })
  })

  test('input that nests deeper than any call is left to the schema', () => {
    const deep = JSON.parse(`${'{"A":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as unknown
    expect(() => fromWire('/stm/v1/user', deep)).not.toThrow()
  })
})
