/** An input that may be slow to parse or check: a label for the report, and its JSON text. */
export type Slow = [label: string, json: string]

/**
 * Yields copies of a valid input of a call, each with the value of one field replaced by something that fills the
 * input: a long text, a long list, or deep nesting.
 * @param sample valid input of the call
 * @param most bytes of each copy
 */
export function* slowInputs(sample: unknown, most: number): Generator<Slow> {
  for (const { where, replace, value } of placesOf(sample)) {
    const bytes = most - replace('""').length
    const within = ([label, json]: Slow): Slow => [`${label} in ${where}`, replace(json)]
    if (typeof value === 'string')
      yield within(['a long text', JSON.stringify('가'.repeat((bytes - 20) / 3))])
    if (Array.isArray(value)) {
      for (const entry of [value[0] ?? 'x', 'x', 1, {}, '가\u0301'.repeat(100)]) {
        const json = JSON.stringify(entry)
        yield within([`as many ${json.slice(0, 20)} as fit`, listOf(json, bytes)])
      }
      // Equal entries may be refused as duplicates before anything else is read.
      if (typeof value[0] === 'object')
        yield within(['as many different entries as fit', differentOnes(value[0] as object, bytes)])
    }
    for (const nesting of nestings(bytes)) yield within(nesting)
  }
}

/**
 * Yields inputs of this many bytes that contain no field of the call: nesting, long or repeated names, a long
 * number, blanks.
 */
export function* slowBodies(bytes: number): Generator<Slow> {
  yield* nestings(bytes)
  yield ['one long name', `{"${'A_'.repeat(bytes / 2 - 20)}A":1}`]
  yield ['one name over and over', `{${'"A":1,'.repeat(bytes / 6 - 4)}"A":1}`]
  yield ['a long number', '1'.repeat(bytes)]
  yield ['blanks', ' '.repeat(bytes)]
}

/** Yields request bodies of this many bytes that are no valid envelope: nesting, or Base64 that cannot be decoded. */
export function* slowEnvelopes(bytes: number): Generator<Slow> {
  yield* nestings(bytes)
  yield ['Base64 that nothing sealed', `{"DATA":"${'A'.repeat(bytes - 20)}"}`]
  yield ['Base64 with a wrong end', `{"DATA":"${'A'.repeat(bytes - 20)}!"}`]
  yield ['equal signs', `{"DATA":"${'='.repeat(bytes - 20)}"}`]
}

/** Yields JSON of this many bytes that is deeply nested, or is one object with many names. */
function* nestings(bytes: number): Generator<Slow> {
  yield ['lists in lists', nested('[', ']', bytes)]
  yield ['objects in objects', nested('{"A":', '}', bytes)]
  yield ['many names', manyNames(bytes)]
}

/**
 * A value in a sample, at any depth: its path, and a function that returns the JSON of the sample with other JSON
 * in its place.
 */
interface Place {
  where: string
  value: unknown
  replace: (json: string) => string
}

/** Returns every value in a sample, at any depth, except the sample itself. */
function placesOf(sample: unknown): Place[] {
  const places: Place[] = []
  const walk = (value: unknown, where: string, put: (into: unknown) => unknown) => {
    if (where !== '') {
      const whole = JSON.stringify(put('@here@'))
      places.push({ where, value, replace: (json) => whole.replace('"@here@"', () => json) })
    }
    if (typeof value !== 'object' || value === null) return
    for (const [key, each] of Object.entries(value))
      walk(each, `${where}${where === '' ? '' : '.'}${key}`, (into) =>
        put(Array.isArray(value) ? value.with(Number(key), into) : { ...value, [key]: into }),
      )
  }
  walk(sample, '', (into) => into)
  return places
}

/** Returns a JSON list of as many copies of a value as fit into this many bytes. */
function listOf(json: string, bytes: number): string {
  const times = Math.floor((bytes - 2) / (Buffer.byteLength(json) + 1))
  return `[${Array<string>(times).fill(json).join()}]`
}

/** Returns a JSON list of as many different copies of an object as fit into this many bytes. */
function differentOnes(entry: object, bytes: number): string {
  const all: string[] = []
  for (let size = 0, i = 0; ; i += 1) {
    const fields = Object.entries(entry).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > 3 ? `${i}${value}` : value,
    ])
    const json = JSON.stringify(Object.fromEntries(fields))
    size += Buffer.byteLength(json) + 1
    if (size > bytes - 2) return `[${all.join()}]`
    all.push(json)
  }
}

/** Returns JSON in which as many brackets as fit surround the number 1. */
function nested(open: string, close: string, bytes: number): string {
  const depth = Math.floor((bytes - 1) / (open.length + close.length))
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

/** Returns a JSON object with as many names as fit into this many bytes. */
function manyNames(bytes: number): string {
  const times = Math.floor(bytes / 14)
  return `{${Array.from({ length: times }, (_, i) => `"A_${String(i).padStart(7, '0')}":1`).join()}}`
}
