/**
 * Deepest nesting of lists and objects in the JSON of one body. `JSON.parse` takes ten times as long for deep nesting or many
 * names as for the same bytes of text.
 */
const MAX_DEPTH = 16
/** Most names in one object. */
const MAX_NAMES = 200
/** Most commas in one body. An import of users, the largest body, has 10,000 rows of up to 23 values, so 230,000. */
const MAX_VALUES = 300_000

/** Bytes of the characters of JSON that the check looks for. */
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
/** Bytes of the brackets and braces of JSON. */
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns whether JSON keeps to the limits of nesting, values, and names per object. Call it before the JSON is parsed.
 * @param json in UTF-8; it need not be valid
 */
export function isWithinJsonLimits(json: Uint8Array): boolean {
  const names = new Uint32Array(MAX_DEPTH + 1)
  let [depth, values, isText] = [0, 0, false]
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i]
    if (isText) {
      if (byte === BACKSLASH) i += 1
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) {
      isText = true
    } else if (byte === COMMA) {
      values += 1
      if (values > MAX_VALUES) return false
    } else if (byte === COLON) {
      const count = (names[depth] ?? 0) + 1
      if (count > MAX_NAMES) return false
      names[depth] = count
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1
      if (depth > MAX_DEPTH) return false
      names[depth] = 0
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      // Too many closing brackets: invalid JSON, which the parser rejects.
      depth = Math.max(0, depth - 1)
    }
  }
  return true
}
