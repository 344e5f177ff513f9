import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { newStorageKey } from '../storage.ts'
import { openS3Storage } from './s3.ts'

/** A bucket whose files have 1 MB, of which only the beginning ever comes. */
async function slowBucket() {
  const reading = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const isList = request.url?.includes('list-type=2') === true
    if (isList) return response.end('<ListBucketResult></ListBucketResult>')
    response.setHeader('Content-Length', 1_000_000)
    if (request.method === 'HEAD') return response.end()
    response.write('x'.repeat(1_000))
    reading.add(response)
    response.on('close', () => reading.delete(response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const storage = openS3Storage({
    bucket: 'files',
    prefix: '',
    client: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    },
  })
  onTestFinished(() => {
    storage.close()
    server.closeAllConnections()
    server.close()
  })
  return { storage, reading }
}

test('answers readiness and delivers files while many of its files are read slowly', async () => {
  const { storage, reading } = await slowBucket()
  const files = await Promise.all(Array.from({ length: 60 }, () => storage.get(newStorageKey(new Date()))))
  await storage.ready()
  // A file that is given up gives its connection back.
  expect(reading.size).toBe(60)
  for (const file of files) file?.stream.destroy()
  await expect.poll(() => reading.size).toBe(0)
})
