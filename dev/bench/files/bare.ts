/** The floor: a bare node:http server that pipes what comes to the disk, and from the disk. */
import { createReadStream, createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { watchMemory } from './memory.ts'

const dir = process.env['DATA_DIR'] ?? ''
const server = createServer((request, response) => {
  const path = join(dir, `bare-${request.url?.slice(1)}`)
  const work =
    request.method === 'POST'
      ? pipeline(request, createWriteStream(path)).then(() => response.end())
      : pipeline(createReadStream(path), response)
  work.catch((error: unknown) => response.destroy(error as Error))
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
watchMemory()
