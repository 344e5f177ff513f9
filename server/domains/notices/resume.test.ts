import { readdir } from 'node:fs/promises'
import { createServer, type Server, connect } from 'node:net'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import {
  beginUpload,
  cancelUpload,
  deleteFile,
  downloadFile,
  finishUpload,
  MAX_FILE_BYTES,
  UPLOADS_PATH,
} from '../../../contract/notices.ts'
import { addressOfMaru, askTus, filesOf, sendByTus, writeNotice } from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let kim: TestUser
let lee: TestUser
let base: string
const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251))

beforeAll(async () => {
  kim = await maru.createUser()
  lee = await maru.createUser()
  base = await addressOfMaru(maru)
})

// Three are open at most (rules/files#room), and many tests leave one.
beforeEach(() => maru.database.pool.query('update uploads set cancelled = true where finished_at is null'))

const relays: Server[] = []
afterAll(() => {
  for (const relay of relays) relay.close()
})

/** A way to Maru that breaks the first connections after this many bytes; gives its address and how often it broke. */
async function fragileWay(breaks: number, afterBytes: number) {
  const way = { url: '', broken: 0 }
  const { hostname, port } = new URL(base)
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname)
    let passed = 0
    client.on('data', (chunk) => {
      passed += chunk.length
      server.write(chunk)
      if (passed > afterBytes && way.broken < breaks) {
        way.broken += 1
        client.destroy()
        server.destroy()
      }
    })
    server.pipe(client)
    for (const end of [client, server])
      end.on('error', () => {}).on('close', () => (client.destroy(), server.destroy()))
  })
  relays.push(relay)
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  way.url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  return way
}

async function begin(size = content.length, by = kim, replaces = '') {
  const notice = await writeNotice(maru, kim)
  const answer = await maru.call(
    beginUpload,
    { noticeId: notice, fileName: '점검.bin', fileSize: size, replacesFileId: replaces },
    { session: by.session },
  )
  return { notice, answer, id: answer.data?.uploadId }
}

function ask(method: string, id: string, headers: Record<string, string> = {}, body?: Buffer) {
  return askTus(maru, kim, method, id, headers, body)
}
const finish = (id: string, by = kim) => maru.call(finishUpload, { uploadId: id }, { session: by.session })
const incoming = () => readdir(join(maru.dataDir, 'files/.incoming'))

describe('a resumed upload (rules/files#resumable-upload)', () => {
  test('goes on twice from where the server says and makes the file whole', async () => {
    const { notice, id } = await begin()
    const way = await fragileWay(2, 1_000_000)
    const offsets = await sendByTus(way.url, kim, id, content)
    expect(way.broken).toBe(2)
    expect(offsets).toHaveLength(3)
    expect(offsets[0]).toBe(0)
    expect(offsets[1]).toBeGreaterThan(0)
    expect(offsets[2]).toBeGreaterThan(offsets[1]!)
    expect(await filesOf(maru, kim, notice)).toEqual([])
    expect((await finish(id)).data).toEqual({ fileId: id })
    const [file] = await filesOf(maru, kim, notice)
    expect(file).toMatchObject({ fileId: id, fileName: '점검.bin' })
    const stored = await maru.services.storage.get({ path: file!.storedPath, name: file!.storedName })
    expect(Buffer.concat(await stored!.stream.toArray()).equals(content)).toBe(true)
    expect(await incoming()).toEqual([])
  })

  test('answers the same when it is finished again, and changes nothing', async () => {
    const { notice, id } = await begin(0)
    expect((await finish(id)).status).toBe(200)
    expect((await finish(id)).data).toEqual({ fileId: id })
    expect(await filesOf(maru, kim, notice)).toHaveLength(1)
  })

  test('cannot be finished again when its file was deleted or replaced since', async () => {
    const { notice, id } = await begin(0)
    await finish(id)
    const next = await maru.call(
      beginUpload,
      { noticeId: notice, fileName: '다음.bin', fileSize: 0, replacesFileId: id },
      { session: kim.session },
    )
    expect((await finish(next.data.uploadId)).status).toBe(200)
    expect(await finish(id)).toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    const [file] = await filesOf(maru, kim, notice)
    expect(file).toMatchObject({ fileId: next.data.uploadId })
    await maru.call(
      deleteFile,
      {
        noticeId: notice,
        fileId: file!.fileId,
        storedName: file!.storedName,
        storedPath: file!.storedPath,
      },
      { session: kim.session },
    )
    expect(await finish(file!.fileId)).toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    expect(await filesOf(maru, kim, notice)).toEqual([])
  })

  test('can go on at another server', async () => {
    const { id } = await begin(20)
    expect(
      (await ask('PATCH', id, { 'Upload-Offset': '0' }, Buffer.alloc(12))).headers.get('Upload-Offset'),
    ).toBe('12')
    const twin = await maru.startTwin()
    expect((await twin.call(finishUpload, { uploadId: id }, kim)).code).toBe('UPLOAD_INCOMPLETE')
    expect((await ask('PATCH', id, { 'Upload-Offset': '12' }, Buffer.alloc(8))).status).toBe(204)
    expect((await twin.call(finishUpload, { uploadId: id }, kim)).status).toBe(200)
  })
})

describe('an upload', () => {
  test('is refused beyond 1000 MB before a byte is sent (rules/files#file-size)', async () => {
    expect((await begin(MAX_FILE_BYTES + 1)).answer).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' })
    expect((await begin(MAX_FILE_BYTES)).answer.status).toBe(200)
  })

  test('takes no more bytes than announced and only at the offset where it stopped', async () => {
    const { id } = await begin(10)
    expect((await ask('PATCH', id, { 'Upload-Offset': '0' }, Buffer.alloc(11))).status).toBe(413)
    expect((await ask('PATCH', id, { 'Upload-Offset': '5' }, Buffer.alloc(5))).status).toBe(409)
    expect((await ask('HEAD', id)).headers.get('Upload-Offset')).toBe('0')
  })

  test('is hidden from everybody but the person who began it', async () => {
    const { id, notice } = await begin(10)
    const theirs = { [SESSION_HEADER]: lee.session }
    expect((await ask('HEAD', id, theirs)).status).toBe(400)
    expect((await ask('PATCH', id, { ...theirs, 'Upload-Offset': '0' }, Buffer.alloc(10))).status).toBe(400)
    expect(await finish(id, lee)).toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    await maru.call(cancelUpload, { uploadId: id }, lee)
    expect((await ask('HEAD', id)).status).toBe(200)
    expect((await begin(10, lee)).answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await filesOf(maru, kim, notice)).toEqual([])
  })

  test('takes only tus requests with a live session', async () => {
    const { id } = await begin(10)
    for (const method of ['HEAD', 'PATCH']) {
      expect((await ask(method, id, { [SESSION_HEADER]: 'x', 'Upload-Offset': '0' })).status).toBe(401)
      expect((await ask(method, id, { 'Tus-Resumable': '0.2', 'Upload-Offset': '0' })).status).toBe(400)
    }
    expect((await ask('PATCH', id, { 'Upload-Offset': '-1' })).status).toBe(400)
    expect((await ask('PATCH', id, { 'Upload-Offset': '0', 'Content-Type': 'text/plain' })).status).toBe(400)
    for (const method of ['GET', 'POST', 'DELETE']) expect((await ask(method, id)).status).toBe(405)
    for (const wrong of ['x', '%00', '../../etc', `${id}x`]) {
      expect((await ask('HEAD', wrong)).status, wrong).toBeGreaterThanOrEqual(400)
      expect((await ask('HEAD', wrong)).status, wrong).toBeLessThan(500)
    }
  })

  test('drops the bytes when the notice is gone or has another file', async () => {
    const { id, notice } = await begin(4)
    await ask('PATCH', id, { 'Upload-Offset': '0' }, Buffer.alloc(4))
    await maru.database.pool.query('delete from notices where id = $1', [notice])
    expect(await finish(id)).toMatchObject({ code: 'NOTICE_NOT_FOUND' })
    expect(await finish(id)).toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    const { rows } = await maru.database.pool.query('select 1 from uploads where id = $1', [id])
    expect(rows).toEqual([])
  })

  test('leaves nothing when it is cancelled and cannot be continued', async () => {
    const { id } = await begin(10)
    await ask('PATCH', id, { 'Upload-Offset': '0' }, Buffer.alloc(6))
    const before = (await incoming()).length
    expect((await maru.call(cancelUpload, { uploadId: id }, kim)).status).toBe(200)
    expect((await maru.call(cancelUpload, { uploadId: id }, kim)).status).toBe(200)
    expect((await incoming()).length).toBe(before - 1)
    expect((await ask('HEAD', id)).status).toBe(400)
  })

  test('tells a second writer to wait, and releases the first one whose connection hangs', async () => {
    const { id } = await begin(1000)
    const { hostname, port } = new URL(base)
    const hanging = connect(Number(port), hostname)
    hanging.on('error', () => {})
    hanging.write(
      `PATCH ${API_BASE}${UPLOADS_PATH}/${id} HTTP/1.1\r\nHost: maru\r\nSessionId: ${kim.session}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(500)}`,
    )
    // Not by asking for it: the first to ask is the writer.
    const held = 'select 1 from uploads where id = $1 and held_by is not null'
    await expect.poll(async () => (await maru.database.pool.query(held, [id])).rowCount).toBe(1)
    expect((await ask('HEAD', id)).status).toBe(423)
    await expect.poll(async () => (await ask('HEAD', id)).headers.get('Upload-Offset')).toBe('500')
    hanging.destroy()
  })
})

test('answers 206, 416 and If-Range, and the whole file if the condition fails (rules/files#download)', async () => {
  const { notice, id } = await begin(10)
  await ask('PATCH', id, { 'Upload-Offset': '0' }, Buffer.from('0123456789'))
  await finish(id)
  const [file] = await filesOf(maru, kim, notice)
  const key = { storedPath: file!.storedPath, storedName: file!.storedName }
  const get = async (headers: Record<string, string>) => {
    const answer = await maru.call(downloadFile, key, { session: kim.session, headers })
    return [answer.status, answer.status === 416 ? answer.code : answer.raw, answer.headers['content-range']]
  }
  expect(await get({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10'])
  expect(await get({ range: 'bytes=8-' })).toEqual([206, '89', 'bytes 8-9/10'])
  expect(await get({ range: 'bytes=-3' })).toEqual([206, '789', 'bytes 7-9/10'])
  expect(await get({ range: 'bytes=5-99' })).toEqual([206, '56789', 'bytes 5-9/10'])
  expect(await get({ range: 'bytes=10-' })).toEqual([416, 'RANGE_INVALID', 'bytes */10'])
  expect(await get({ range: 'bytes=-0' })).toEqual([416, 'RANGE_INVALID', 'bytes */10'])
  for (const range of ['bytes=4-2', 'lines=1-2', 'bytes=0-1,3-4', 'bytes=a-b']) {
    expect(await get({ range })).toEqual([200, '0123456789', undefined])
  }
  expect(await get({ range: 'bytes=2-4', 'if-range': `"${id}"` })).toEqual([206, '234', 'bytes 2-4/10'])
  expect(await get({ range: 'bytes=2-4', 'if-range': '"another"' })).toEqual([200, '0123456789', undefined])
})
