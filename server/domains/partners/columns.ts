/** What a partner is searched by. */
export interface Entry {
  id: string
  code: string
  affiliation: string
  /** Days as 'YYYY-MM-DD'; null: valid without end on that side. */
  from: string | null
  to: string | null
  /** When it was registered, in microseconds since 1970. */
  at: number
}

/** What a search is narrowed by; '' = no filter. */
export interface Wanted {
  affiliation: string
  /** In capitals, as codes are. */
  codePart: string
  from: string
  to: string
}

/** Partners as columns of plain numbers: a search walks all of them in a few milliseconds, whatever it looks for. */
export interface Columns {
  /** How many a search finds, and the IDs of a part of them, the newest first. */
  find: (wanted: Wanted, part: { offset: number; limit: number }) => { total: number; ids: string[] }
}

/** A day as a number that orders like it. */
function dayNumber(day: string): number {
  if (day.endsWith('infinity')) return day.startsWith('-') ? -Infinity : Infinity
  return Number(day.replaceAll('-', ''))
}

/** The newest first; of the same moment the one that was written later (decisions §2). */
const newestFirst = (a: Entry, b: Entry) => b.at - a.at || Number(b.id) - Number(a.id)

/** Lays partners out as columns. */
export function columnsOf(entries: Iterable<Entry>): Columns {
  const sorted = [...entries].toSorted(newestFirst)
  const ids = sorted.map(({ id }) => id)
  const numbers = new Map<string, number>()
  const affiliations = new Uint32Array(sorted.length)
  const froms = new Float64Array(sorted.length)
  const tos = new Float64Array(sorted.length)
  /** The codes as bytes, one after the other; the code of row i begins at starts[i]. */
  const codes = Buffer.from(sorted.map(({ code }) => code).join(''))
  const starts = new Uint32Array(sorted.length + 1)
  const signatures = new Int32Array(sorted.length * WORDS)
  for (const [row, { affiliation, from, to, code }] of sorted.entries()) {
    const number = numbers.get(affiliation) ?? numbers.size
    numbers.set(affiliation, number)
    affiliations[row] = number
    froms[row] = from === null ? -Infinity : dayNumber(from)
    tos[row] = to === null ? Infinity : dayNumber(to)
    const start = starts[row] as number
    starts[row + 1] = start + Buffer.byteLength(code)
    sign(codes, start, starts[row + 1] as number, signatures, row * WORDS)
  }
  const holds = (row: number, part: Uint8Array, signature: Int32Array) =>
    isWithin(signature, signatures, row * WORDS) &&
    isPart(part, codes, starts[row] as number, starts[row + 1] as number)

  return {
    find(wanted, { offset, limit }) {
      // An affiliation that no partner has is the number of none.
      const affiliation = wanted.affiliation === '' ? -1 : (numbers.get(wanted.affiliation) ?? numbers.size)
      const from = wanted.from === '' ? -Infinity : dayNumber(wanted.from)
      const to = wanted.to === '' ? Infinity : dayNumber(wanted.to)
      const part = Buffer.from(wanted.codePart)
      const signature = new Int32Array(WORDS)
      sign(part, 0, part.length, signature, 0)
      const found: string[] = []
      let total = 0
      for (let row = 0; row < ids.length; row += 1) {
        if (affiliation !== -1 && affiliations[row] !== affiliation) continue
        if ((tos[row] as number) < from || (froms[row] as number) > to) continue
        if (part.length > 0 && !holds(row, part, signature)) continue
        if (total >= offset && found.length < limit) found.push(ids[row] as string)
        total += 1
      }
      return { total, ids: found }
    },
  }
}

/** The words of a signature: 64 bits for the letters of a text, 64 for its pairs of letters. */
const WORDS = 4

/** Marks which letters and pairs a text has: a text that lacks one of a part's cannot hold the part. */
function sign(bytes: Uint8Array, start: number, end: number, into: Int32Array, at: number): void {
  let before = -1
  for (let i = start; i < end; i += 1) {
    // No two of the letters of a code share their last six bits.
    const letter = (bytes[i] as number) & 63
    mark(into, at, letter)
    if (before !== -1) mark(into, at, 64 + ((before * 37 + letter) & 63))
    before = letter
  }
}

function mark(words: Int32Array, at: number, bit: number): void {
  const word = at + (bit >> 5)
  words[word] = (words[word] as number) | (1 << (bit & 31))
}

/** Whether the signature at a place has all that a part's has. */
function isWithin(part: Int32Array, signatures: Int32Array, at: number): boolean {
  for (let word = 0; word < WORDS; word += 1) {
    const wanted = part[word] as number
    if (((signatures[at + word] as number) & wanted) !== wanted) return false
  }
  return true
}

/** Whether bytes hold a part between start and end. By hand: a call into the runtime for each code takes longer. */
function isPart(part: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const last = end - part.length
  for (let at = start; at <= last; at += 1) {
    if (bytes[at] !== part[0]) continue
    let same = 1
    while (same < part.length && bytes[at + same] === part[same]) same += 1
    if (same === part.length) return true
  }
  return false
}
