import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { liveFile } from './streamed-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'maru-live-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MEGABYTE = Buffer.alloc(1024 ** 2, 'x')

async function* megabytes(count: number, failure?: Error) {
  for (let n = 0; n < count; n += 1) yield MEGABYTE
  if (failure) throw failure
}
async function* freshMegabytes(count: number) {
  for (let n = 0; n < count; n += 1) yield Buffer.alloc(1024 ** 2, 'x')
}

// Garbage that V8 has not collected yet would count as memory of the file.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const liveBufferBytes = () => {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}
const begin = async (source: AsyncIterable<Buffer>, more = {}) => {
  const [onEnd, onSent] = [vi.fn(async () => {}), vi.fn()]
  const file = await liveFile(source, (parts) => Readable.from(parts), { folder, onEnd, onSent, ...more })
  return { file, onEnd, onSent }
}

describe('liveFile (rules/lists#export-limits)', () => {
  it('ends its source without waiting for the client, and sends every byte', async () => {
    const { file, onEnd, onSent } = await begin(megabytes(20))
    await expect.poll(() => onEnd.mock.calls.length).toBeGreaterThan(0)
    expect(onSent).not.toHaveBeenCalled()
    let bytes = 0
    for await (const chunk of file) bytes += (chunk as Buffer).length
    expect(bytes).toBe(20 * MEGABYTE.length)
    expect(onSent).toHaveBeenCalled()
  })

  it('keeps no more of the file in memory than a few chunks', async () => {
    const before = liveBufferBytes()
    const { file, onEnd } = await begin(freshMegabytes(200))
    await expect.poll(() => onEnd.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(0)
    // V8 frees the memory of collected buffers in another thread.
    await expect.poll(() => liveBufferBytes() - before).toBeLessThan(20 * MEGABYTE.length)
    file.destroy()
  })

  it('sends nothing more when its source fails', async () => {
    const { file, onEnd, onSent } = await begin(megabytes(3, new Error('the query was cut')))
    await expect(file.toArray()).rejects.toThrow('the query was cut')
    await expect.poll(() => onSent.mock.calls.length).toBeGreaterThan(0)
    expect(onEnd).toHaveBeenCalled()
  })

  it('gives up a client that reads nothing, and one that takes too long', async () => {
    const stalled = await begin(megabytes(3), { stallMs: 20 })
    await expect(once(stalled.file, 'end')).rejects.toThrow('The client does not read the file')
    const late = await begin(megabytes(3), { deadlineMs: 20 })
    await expect(once(late.file, 'end')).rejects.toThrow('The file takes too long')
    await expect.poll(() => late.onSent.mock.calls.length).toBeGreaterThan(0)
  })

  it('stops its source when the client leaves', async () => {
    const stopped = Promise.withResolvers<void>()
    async function* endless() {
      try {
        for (;;) {
          yield MEGABYTE
          await sleep(1)
        }
      } finally {
        stopped.resolve()
      }
    }
    const { file, onEnd, onSent } = await begin(endless())
    file.destroy()
    await stopped.promise
    await expect.poll(() => [onEnd.mock.calls.length > 0, onSent.mock.calls.length > 0]).toEqual([true, true])
  })

  it('leaves no file when the process is killed', async () => {
    const script = `
      import { Readable } from 'node:stream'
      import { liveFile } from ${JSON.stringify(join(import.meta.dirname, 'streamed-file.ts'))}
      async function* endless() { for (;;) yield Buffer.alloc(1024) }
      await liveFile(endless(), (parts) => Readable.from(parts), { folder: ${JSON.stringify(folder)}, onEnd: async () => {}, onSent() {} })
      console.log('begun')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(readdirSync(folder)).toEqual([])
  })
})
