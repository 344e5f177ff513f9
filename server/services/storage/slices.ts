/** A slice of a stream; the last one may be shorter, and empty when the stream is. */
export interface Slice {
  bytes: Uint8Array
  isLast: boolean
}

/** Cuts a stream into slices of one size; holds one of them, and what came of the next chunk, in memory. */
export async function* slices(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Slice> {
  let gathered = new Uint8Array(size)
  let used = 0
  for await (const chunk of content) {
    let at = 0
    while (at < chunk.length) {
      // Full, and there is more: so it is not the last.
      if (used === size) {
        yield { bytes: gathered, isLast: false }
        gathered = new Uint8Array(size)
        used = 0
      }
      const step = Math.min(size - used, chunk.length - at)
      gathered.set(chunk.subarray(at, at + step), used)
      used += step
      at += step
    }
  }
  yield { bytes: gathered.subarray(0, used), isLast: true }
}
