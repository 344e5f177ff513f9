/** Inputs that are slow to look at, as far as anything is known to be slow about text and JSON. */

/** An input by its share of the size that is allowed. */
export interface Slow {
  label: string
  of: (share: number) => string
}

/** What is repeated; before it and after it stands what brings a regular expression far. */
const REPEATED: readonly (readonly [label: string, unit: string, before?: string, after?: string])[] = [
  ['letters', 'a', '', '!'],
  ['digits', '1', '', 'x'],
  ['Korean letters', '가'],
  ['blanks', ' ', 'a', 'a'],
  ['ideographic blanks', '\u3000', 'a', 'a'],
  ['blanks and letters', 'a '],
  ['line ends', '\r\n', 'a', 'a'],
  ['combining marks', '\u0301\u0327', 'a'],
  ['thirty marks on each letter', `a${'\u0301\u0327'.repeat(15)}`],
  ['marks and joiners', '\u0301\u034f', 'a'],
  ['leading jamo', '\u1100'],
  ['jamo of syllables', '\u1112\u1161\u11ab'],
  ['vowels of jamo', '\u1161', '\u1100'],
  ['Korean taken apart', '한글'.normalize('NFD')],
  ['astral letters', '𝒜'],
  ['emoji', '😀'],
  ['joined emoji', '👩\u200d'],
  ['joiners', '\u200d', '👩'],
  ['variation selectors', '\ufe0f', '👩'],
  ['skin tones', '🏽'],
  ['flags', '🇰'],
  ['zero widths', '\u200b'],
  ['byte order marks', '\ufeff'],
  ['what grows in NFC', '\u0958'],
  ['what grows in NFKC', 'ﷺ'],
  ['what grows in lower case', 'İ'],
  ['lone surrogates', '\ud800'],
  ['NULs', '\0'],
  ['backslashes', '\\'],
  ['quotes', '"'],
  ['wildcards', '%_'],
  ['round brackets', '('],
  ['square brackets', '[', '', ']'],
  ['angle brackets', '<a '],
  ['points', '.', 'a', '@'],
  ['labels of an address', 'a.', 'a@', '!'],
  ['at signs', '@', 'a', '.'],
  ['hyphens', '-', '0', 'x'],
  ['digits and hyphens', '1-', '+82', 'x'],
  ['IDs that look alike', 'rn1l0'],
  ['links', 'https://a.a '],
]

/** Of texts that are short enough to be looked at; beside them one is as long as the body may be. */
const LENGTHS = [50, 300, 5_000, 100_000]

/** Each text of a sample with each of what is slow, each list with as much as fits, each field with what nests. */
export function* slowInputs(sample: unknown, most: number): Generator<Slow> {
  const places = placesOf(sample)
  const texts = places.filter(({ value }) => typeof value === 'string')
  for (const { where, replace, value } of places) {
    const room = most - replace('""').length
    const slow = (label: string, json: (share: number) => string): Slow => ({
      label: `${label} in ${where}`,
      of: (share) => replace(json(share)),
    })
    if (typeof value === 'string') {
      for (const [number, [label, unit, before = '', after = '']] of REPEATED.entries()) {
        const text = (bytes: number) => fitting(bytes, unit, before, after)
        // A body of many megabytes goes into one of the texts, for each thing that is slow into another one.
        const isItsTurn = texts[number % texts.length]?.where === where
        if (most < MANY_BYTES || isItsTurn) yield slow(label, (share) => text(room * share))
        for (const length of LENGTHS.filter((each) => each * 4 < room))
          yield slow(`${length} × ${label}`, (share) =>
            JSON.stringify(
              `${before}${unit.repeat(Math.ceil(length / unit.length)).slice(0, length * share)}${after}`,
            ),
          )
      }
    }
    if (Array.isArray(value)) {
      for (const [label, each] of [
        ['as many of the like as fit', value[0] ?? 'x'],
        ['as many texts as fit', 'x'],
        ['as many numbers as fit', 1],
        ['as many objects as fit', {}],
        ['as many long texts as fit', '가\u0301'.repeat(100)],
      ] as const)
        yield slow(label, (share) => listOf(JSON.stringify(each), room * share))
      // Other rows are looked at whole: the same one is found to be there twice.
      if (typeof value[0] === 'object')
        yield slow('as many different ones as fit', (share) =>
          differentOnes(value[0] as object, room * share),
        )
    }
    yield slow('lists in lists', (share) => nested('[', ']', room * share))
    yield slow('objects in objects', (share) => nested('{"A":', '}', room * share))
    yield slow('many names', (share) => manyNames(room * share))
  }
}

/** Whole inputs, of which no field is one of the call's. */
export function* slowBodies(most: number): Generator<Slow> {
  yield { label: 'lists in lists', of: (share) => nested('[', ']', most * share) }
  yield { label: 'objects in objects', of: (share) => nested('{"A":', '}', most * share) }
  yield { label: 'many names', of: (share) => manyNames(most * share) }
  yield { label: 'one long name', of: (share) => `{"${'A_'.repeat((most * share) / 2 - 20)}A":1}` }
  yield {
    label: 'one name over and over',
    of: (share) => `{${'"A":1,'.repeat((most * share) / 6 - 4)}"A":1}`,
  }
  yield { label: 'a long number', of: (share) => '1'.repeat(most * share) }
  yield { label: 'blanks', of: (share) => ' '.repeat(most * share) }
}

/** Bodies around and instead of what is sealed. */
export function* slowEnvelopes(most: number): Generator<Slow> {
  yield { label: 'the envelope as lists in lists', of: (share) => nested('[', ']', most * share) }
  yield { label: 'the envelope with many names', of: (share) => manyNames(most * share) }
  yield { label: 'Base64 that nothing sealed', of: (share) => `{"DATA":"${'A'.repeat(most * share - 20)}"}` }
  yield { label: 'Base64 up to its end', of: (share) => `{"DATA":"${'A'.repeat(most * share - 20)}!"}` }
  yield { label: 'equal signs', of: (share) => `{"DATA":"${'='.repeat(most * share - 20)}"}` }
}

/** What takes long to send alone. */
const MANY_BYTES = 64 * 1024

interface Place {
  where: string
  value: unknown
  replace: (json: string) => string
}

const HERE = '"@here@"'

/** Every text and every list in a sample, however deep. */
function placesOf(sample: unknown): Place[] {
  const found: Place[] = []
  const walk = (value: unknown, where: string, put: (into: unknown) => unknown) => {
    if (where !== '') {
      const whole = JSON.stringify(put('@here@'))
      found.push({ where, value, replace: (json) => whole.replace(HERE, () => json) })
    }
    if (typeof value !== 'object' || value === null) return
    for (const [key, each] of Object.entries(value))
      walk(each, `${where}${where === '' ? '' : '.'}${key}`, (into) =>
        put(
          Array.isArray(value)
            ? Object.assign([...(value as unknown[])], { [key]: into })
            : { ...value, [key]: into },
        ),
      )
  }
  walk(sample, '', (into) => into)
  return found
}

/** A text in JSON of about so many bytes. */
function fitting(bytes: number, unit: string, before: string, after: string): string {
  const size = Buffer.byteLength(JSON.stringify(unit)) - 2
  const times = Math.floor((bytes - 20 - Buffer.byteLength(before + after)) / size)
  return JSON.stringify(before + unit.repeat(times) + after)
}

function listOf(json: string, bytes: number): string {
  const times = Math.floor((bytes - 2) / (Buffer.byteLength(json) + 1))
  return `[${Array<string>(times).fill(json).join()}]`
}

function differentOnes(of: object, bytes: number): string {
  const all: string[] = []
  for (let size = 0, i = 0; ; i += 1) {
    const named = Object.entries(of).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > 3 ? `${i}${value}` : value,
    ])
    const json = JSON.stringify(Object.fromEntries(named))
    size += Buffer.byteLength(json) + 1
    if (size > bytes - 2) return `[${all.join()}]`
    all.push(json)
  }
}

function nested(open: string, close: string, bytes: number): string {
  const depth = Math.floor((bytes - 1) / (open.length + close.length))
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

function manyNames(bytes: number): string {
  const times = Math.floor(bytes / 14)
  return `{${Array.from({ length: times }, (_, i) => `"A_${String(i).padStart(7, '0')}":1`).join()}}`
}
