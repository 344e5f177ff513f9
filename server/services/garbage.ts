/** So many bytes that went through are collected together. */
const COLLECT_EVERY = 16 * 1024 * 1024

let passed = 0

/**
 * Told of bytes that went through in chunks that nobody needs any more. Each chunk is memory outside the heap: left
 * alone, it makes V8 search the whole heap, many times in a large file, which costs more than moving the bytes. The
 * chunks are young, so that collecting what is young does. Needs `--expose-gc`, which the launcher gives; without it
 * nothing is done and nothing breaks.
 */
export function passedThrough(bytes: number): void {
  passed += bytes
  if (passed < COLLECT_EVERY) return
  passed = 0
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
}
