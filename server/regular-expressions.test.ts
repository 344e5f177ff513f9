import fc from 'fast-check'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseSync, Visitor } from 'vite'

/*
 * Runs every regular expression of the product over texts that make backtracking expensive, and rejects those whose time
 * grows faster than the text. The real engine decides: a static check would miss loops that a literal separates
 * (`!\[[^\]]*\]\(`), or would call safe expressions slow.
 */

const ROOT = join(import.meta.dirname, '..')

/** Super-linear expressions whose input is short or trusted: file and source, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  [String.raw`server/services/tls-certificates.ts /^\d{3} [^\n]*\n$/m`]:
    'the reply of the operator’s mail server',
  [String.raw`server/http/pages.ts /<script>([^]*?)<\/script>/g`]: 'the index.html of the build',
}

/** Values for what built expressions interpolate. */
const STAND_INS = { PICTURE_NAME: { length: 10 }, name: 'abcdefghi1', bytes: 64 }

/** Lengths of the repeated part. The short ones come first: they stop an exponential expression early. */
const LENGTHS = [22, 300, 12_000]
/** A linear expression needs some microseconds for the longest text, a quadratic one some milliseconds. */
const SUSPICIOUS_MS = 1
/** Runs that must all be slow. Other processes do not interrupt five in a row. */
const MOST_RUNS = 5
const USUAL_PARTS = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  'a',
  'A',
  '0',
  '.',
  ',',
  '-',
  '_',
  '/',
  '"',
  '\\',
  '가',
  '\u0301',
  '🙂',
]

describe('isSuperLinear', () => {
  it.each([
    String.raw`/[ \t]*\n\s*/g`,
    String.raw`/[.,;:!?)\]}…。、]+$/`,
    String.raw`/!\[[^\]\n]*\]\(/`,
    String.raw`/^([^\S\n]*)(\S.*?)([^\S\n]*)$/gm`,
    String.raw`/^.*: .* FOUND$/`,
    String.raw`/^(\w+\s?)*$/`,
    String.raw`/^(a|a)*$/`,
    String.raw`/\s*,\s*/`,
    String.raw`/(\d+)\./`,
  ])('finds %s', (literal) => {
    expect(isSuperLinear(regexOf(literal))).toBe(true)
  })

  it.each([
    String.raw`/(?<![ \t])[ \t]*\n\s*/g`,
    String.raw`/^\s*(\d+)\s*$/`,
    String.raw`/\bhttps?:\/\/[^\s<>"']+/gi`,
  ])('accepts %s', (literal) => {
    expect(isSuperLinear(regexOf(literal))).toBe(false)
  })
})

describe('regular expressions of the product', () => {
  const expressions = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|\/test-kit\/|\/cli\/test\//.test(file))
    .flatMap(expressionsIn)

  it('take time in proportion to the length of the text (rules/wire#input-text)', () => {
    expect(expressions.length).toBeGreaterThan(200)
    const slow = expressions.filter(({ name, regex }) => !(name in EXCEPTIONS) && isSuperLinear(regex))
    expect(slow.map(({ name }) => name)).toEqual([])
  })

  it('has no exception that is no longer there', () => {
    const names = new Set(expressions.map(({ name }) => name))
    expect(Object.keys(EXCEPTIONS).filter((name) => !names.has(name))).toEqual([])
  })
})

interface Expression {
  name: string
  regex: RegExp
}

/** Returns the expressions of a file: its literals, and `RegExp` calls with stand-ins for their variables. */
function expressionsIn(file: string): Expression[] {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: Expression[] = []
  const add = (regex: RegExp) => found.push({ name: `${file} ${String(regex)}`, regex })
  const addBuilt = ({ callee, start, end }: Built) => {
    if (source.slice(callee.start, callee.end) !== 'RegExp') return
    // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- source code of this repository
    const make = new Function(...Object.keys(STAND_INS), `return ${source.slice(start, end)}`)
    add(make(...Object.values(STAND_INS)) as RegExp)
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(new RegExp(node.regex.pattern, node.regex.flags))
    },
    NewExpression: addBuilt,
    CallExpression: addBuilt,
  }).visit(program)
  return found
}

interface Built {
  callee: { start: number; end: number }
  start: number
  end: number
}

function regexOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/')
  return new RegExp(literal.slice(1, end), literal.slice(end + 1))
}

/** Returns whether some text makes an expression slow. */
function isSuperLinear({ source, flags }: RegExp): boolean {
  const regex = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  return attacksOn(regex).some((attack) => LENGTHS.some((length) => isSlow(regex, attack, length)))
}

/**
 * Returns whether the time is always long, and grows by far more than the text. One quick run acquits an expression: other
 * processes only lengthen a run.
 */
function isSlow(regex: RegExp, attack: Attack, length: number): boolean {
  let [long, short] = [Infinity, Infinity]
  for (let run = 0; run < MOST_RUNS; run++) {
    long = Math.min(long, msOf(regex, attack, length))
    if (long < SUSPICIOUS_MS) return false
    short = Math.min(short, msOf(regex, attack, Math.floor(length / 4)))
  }
  return long > 6 * short
}

/**
 * Returns the milliseconds that all matches in a text take. The processor time of the thread is no better measure: some
 * kernels count it in steps of 4 ms.
 */
function msOf(regex: RegExp, { before, part, after }: Attack, length: number): number {
  const text = before + part.repeat(Math.ceil(length / part.length)) + after
  const start = performance.now()
  text.replace(regex, '')
  return performance.now() - start
}

/** A text with a part that repeats. */
interface Attack {
  before: string
  part: string
  after: string
}

/** Returns texts that nearly match: parts of texts that match, repeated, with something else at the end. */
function attacksOn(regex: RegExp): Attack[] {
  const characters = [...new Set(regex.source.replaceAll(/\\[a-z]|[\\^$]/gi, ''))]
  const attacks = [...USUAL_PARTS, ...characters].map((part) => ({ before: '', part, after: '\0' }))
  for (const text of matchesOf(regex))
    for (let from = 0; from < text.length; from++)
      for (let to = from + 1; to <= Math.min(text.length, from + MAX_PART); to++) {
        const [before, part] = [text.slice(0, from), text.slice(from, to)]
        attacks.push({ before, part, after: '\0' }, { before, part, after: `${text.slice(to)}\0` })
      }
  const keys = new Set<string>()
  return attacks.filter((attack) => {
    const key = JSON.stringify(attack)
    return !keys.has(key) && keys.add(key)
  })
}

/** Longest part of a match that is repeated. */
const MAX_PART = 8

/** Returns short texts that match, without what looks around. */
function matchesOf({ source, flags }: RegExp): string[] {
  const flat = source
    .replaceAll(/\(\?<?[=!](?:\[[^\]]*\]|\\.|[^()\\])*\)|\\[bB]/g, '')
    .replaceAll(/([*+?}])\?/g, '$1')
    // Generating takes minutes where nearly every character of Unicode fits.
    .replaceAll(/\[\^(?:\\.|[^\]\\])*\]/g, (characters) => {
      const fitting = new RegExp(characters, flags.replaceAll(/[^iu]/g, ''))
      return `[a${SOME_CHARACTERS.filter((each) => fitting.test(each)).join('')}]`
    })
    .replaceAll(/\\p\{\w+\}/gi, 'a')
  try {
    const texts = fc.stringMatching(new RegExp(flat, flags.replaceAll(/[^msu]/g, '')), { size: 'xsmall' })
    return [...new Set(fc.sample(texts, { numRuns: 4, seed: 1 }))].map((text) => text.slice(0, MAX_MATCH))
  } catch (error) {
    // fast-check takes \0 for a back reference, which it does not know.
    if (String(error).includes('Backreference')) return []
    throw error
  }
}

/** Characters that stand for all that a negated set takes. */
const SOME_CHARACTERS = ['0', ' ', '\t', '<', '!', '가']

/** Longest match that is taken apart. */
const MAX_MATCH = 16
