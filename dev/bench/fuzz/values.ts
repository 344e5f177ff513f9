/** Values for the fields of calls, as JSON text, which can say what a value cannot. */
import fc from 'fast-check'
import type * as z from 'zod/mini'
import * as wrong from '../../test-kit/wrong-values.ts'

/** What a schema is made of, as far as values need it. */
interface Definition {
  type: string
  shape?: Record<string, z.ZodMiniType>
  element?: z.ZodMiniType
  innerType?: z.ZodMiniType
  in?: z.ZodMiniType
  options?: z.ZodMiniType[]
  entries?: Record<string, unknown>
  values?: unknown[]
}

/** One of what the server has answered under a name, drawn when the request is sent. */
const HELD = /"@@(\w+)@(\d+)"/g

/** The same record goes by several names. */
const SAME: Record<string, string> = {
  loginId: 'userId',
  originalUserId: 'userId',
  replacesFileId: 'fileId',
  recordId: 'userId',
}

/** What the server has answered, by the name of the field: so that requests are about records that are there. */
export function createHeld(names: ReadonlySet<string>) {
  const KEPT = 200
  const held = new Map<string, string[]>()
  const keep = (name: string, value: string) => {
    const values = held.get(name) ?? []
    held.set(name, values)
    if (!values.includes(value)) values.push(value)
    if (values.length > KEPT) values.shift()
  }
  return {
    keep,
    /** Keeps what is in an answer. */
    learn(answer: unknown): void {
      if (typeof answer !== 'object' || answer === null) return
      for (const [name, value] of Object.entries(answer)) {
        if (typeof value === 'string' && value !== '' && names.has(name)) keep(name, value)
        else if (typeof value === 'object') this.learn(value)
      }
    },
    /** @returns one of a name, the later for the larger of two numbers below 100 */
    one(name: string, at: number): string {
      const values = held.get(SAME[name] ?? name) ?? held.get(name) ?? []
      return values[Math.floor((values.length * at) / 100)] ?? '1'
    },
    /** Fills in what was left open. */
    fill(text: string): string {
      return text.replaceAll(HELD, (_, name: string, at: string) =>
        JSON.stringify(this.one(name, Number(at))),
      )
    },
  }
}

const json = (value: unknown) => JSON.stringify(value)
const constants = (values: readonly wrong.WrongValue[]) =>
  fc.constantFrom(...values.filter((each) => each.json.length < 200_000).map((each) => each.json))

const LENGTHS = [20, 21, 30, 31, 50, 51, 100, 101, 128, 129, 254, 255, 500, 2000, 2001, 5000]

/** Texts that may fit, as a person or a machine makes them. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }).map(json) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map(json) },
  { weight: 2, arbitrary: constants(wrong.STRANGE_TEXT) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('a', '가', '😀', '\u1100\u1161', 'é', '\u200b', '<'),
        fc.constantFrom(...LENGTHS),
      )
      .map(([unit, length]) => json(unit.repeat(length).slice(0, length))),
  },
  { weight: 1, arbitrary: fc.constantFrom(...[29, 30, 31, 400].map((count) => json(wrong.marks(count)))) },
  {
    weight: 1,
    arbitrary: fc
      .date({ min: new Date('1899-12-30'), max: new Date('2100-01-02'), noInvalidDate: true })
      .chain((day) =>
        fc.constantFrom(day.toISOString().slice(0, 10), day.toISOString().slice(0, 16).replace('T', ' ')),
      )
      .map(json),
  },
)

const number = fc.oneof(
  fc.integer({ min: 0, max: 100 }).map(json),
  fc.integer().map(json),
  fc.maxSafeInteger().map(json),
  fc.double().map(json),
  constants(wrong.NO_NUMBER),
)

/** What fits no field. */
const misfit = fc.oneof(
  constants(wrong.NEVER),
  constants(wrong.NO_TEXT),
  constants([...wrong.NO_TEXT_AT_ALL, wrong.NEARLY_A_MEGABYTE]),
  fc.json({ maxDepth: 4 }),
)

/**
 * JSON for a field: of its kind and perhaps good, of a record that is there, or of another kind.
 * @param toWire the names of fields on the wire
 */
export function valueOf(
  schema: z.ZodMiniType,
  name: string,
  toWire: (name: string) => string,
): fc.Arbitrary<string> {
  const held = fc.nat({ max: 99 }).map((at) => `"@@${name}@${at}"`)
  return fc.oneof(
    { weight: 8, arbitrary: fittingOf(schema, name, toWire) },
    { weight: 6, arbitrary: held },
    { weight: 2, arbitrary: misfit },
  )
}

function fittingOf(
  schema: z.ZodMiniType,
  name: string,
  toWire: (name: string) => string,
): fc.Arbitrary<string> {
  const def = schema._zod.def as Definition
  const choices = def.values ?? Object.values(def.entries ?? {})
  if (choices.length > 0) return fc.constantFrom(...choices.map(json))
  const inner = def.innerType ?? def.in
  if (inner !== undefined) return fittingOf(inner, name, toWire)
  if (def.options !== undefined)
    return fc.oneof(...def.options.map((option) => fittingOf(option, name, toWire)))
  if (def.element !== undefined) {
    const each = valueOf(def.element, name, toWire)
    return fc.array(each, { maxLength: 5 }).map((all) => `[${all.join(',')}]`)
  }
  if (def.shape !== undefined) return objectOf(def.shape, toWire)
  if (def.type === 'boolean') return fc.constantFrom('"Y"', '"N"', 'true', '"y"')
  return def.type === 'number' ? number : text
}

/** JSON for an object, of which now and then a field is missing, another one is there, or one comes twice. */
export function objectOf(
  shape: Record<string, z.ZodMiniType>,
  toWire: (name: string) => string,
): fc.Arbitrary<string> {
  const pairs = Object.entries(shape).map(([name, schema]) =>
    fc.option(
      valueOf(schema, name, toWire).map((value) => `${json(toWire(name))}:${value}`),
      { freq: 12 },
    ),
  )
  const more = fc.option(
    fc
      .tuple(fc.constantFrom('IS_ADMIN', '__proto__', 'constructor', 'userId', ''), misfit)
      .map(([name, value]) => `${json(name)}:${value}`),
    { freq: 1, nil: null },
  )
  const isMore = fc.nat({ max: 19 }).map((draw) => draw === 0)
  return fc
    .tuple(fc.tuple(...pairs), more, isMore)
    .map(
      ([own, extra, isWith]) =>
        `{${[...own, isWith ? extra : null].filter((pair) => pair !== null).join(',')}}`,
    )
}
