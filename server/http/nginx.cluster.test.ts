import { once } from 'node:events'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { beginUpload, UPLOADS_PATH } from '../../contract/notices.ts'
import { type Nginx, startNginx } from '../../dev/test-kit/cluster/nginx.ts'
import { addressOfMaru, keptFiles, writeNotice } from '../../dev/test-kit/files.ts'
import { PASSWORD, useMaru } from '../../dev/test-kit/maru.ts'
import { sealInput } from '../../dev/test-kit/seal.ts'

const maru = useMaru({ TRUST_PROXY: 'loopback', HSTS_SECONDS: '31536000' })
let nginx: Nginx

beforeAll(async () => {
  await addressOfMaru(maru)
  nginx = await startNginx((maru.app.server.address() as AddressInfo).port)
})

afterAll(() => nginx.stop())

function open(path: string, method: string, headers: Record<string, string | number>) {
  const { port, certificate: ca } = nginx
  return request({ host: 'localhost', family: 4, port, path, method, headers, ca })
}

async function answerTo(asked: ReturnType<typeof open>) {
  const [answer] = await once(asked, 'response')
  return { status: answer.statusCode as number, headers: answer.headers, body: await text(answer) }
}

describe('behind nginx with the settings of deploy/', () => {
  test('redirects plain http to https, where the browser is told to stay', async () => {
    const plain = await fetch(`http://127.0.0.1:${nginx.plainPort}/login?a=b`, {
      redirect: 'manual',
      headers: { host: 'portal.company.kr' },
    })
    expect([plain.status, new URL(plain.headers.get('location') ?? '').pathname]).toEqual([301, '/login'])
    const page = await answerTo(open('/login', 'GET', {}).end())
    expect(page.status).toBe(200)
    expect(page.headers['strict-transport-security']).toContain('max-age=31536000')
    expect((await answerTo(open('/metrics', 'GET', {}).end())).status).toBe(404)
  })

  test('logs the request ID of the response, and no query', async () => {
    const { headers } = await answerTo(open('/healthz?next=kim', 'GET', {}).end())
    const id = headers['x-request-id'] as string
    await expect.poll(() => nginx.log()).toMatch(new RegExp(`"GET /healthz" 200 \\d+ [\\d.]+ ${id}$`, 'm'))
    expect(nginx.log()).not.toContain('next=')
  })

  test('stores a session with the real address of the user, whatever they claim', async () => {
    const { id, userId } = await maru.createUser()
    const body = sealInput(login, { loginId: userId, password: PASSWORD })
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' }
    expect((await answerTo(open(API_BASE + login.path, 'POST', headers).end(body))).status).toBe(200)
    const { rows } = await maru.database.pool.query<{ address: string }>(
      'select address from sessions where user_id = $1 order by created_at desc limit 1',
      [id],
    )
    expect(rows[0]?.address).toBe('127.0.0.1')
  })

  test('streams a file through nginx to the storage without buffering it', async () => {
    const author = await maru.createUser({ role: 'admin' })
    const noticeId = await writeNotice(maru, author)
    const size = 24 * 1024 * 1024
    const begun = await maru.call(beginUpload, { noticeId, fileName: '큰 파일.bin', fileSize: size }, author)
    expect(begun.status).toBe(200)
    const half = Buffer.alloc(size / 2, 1)
    const asked = open(`${API_BASE}${UPLOADS_PATH}/${begun.data.uploadId}`, 'PATCH', {
      [SESSION_HEADER]: author.session,
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': 0,
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': size,
    })
    asked.write(half)
    // Half of it is under way and the other half not even written: it is there all the same.
    while ((await keptFiles(maru)).length === 0) await sleep(50)
    expect(nginx.kept().filter((name) => /\d/.test(name))).toEqual([])
    asked.end(half)
    const { status, headers } = await answerTo(asked)
    expect([status, headers['upload-offset']]).toEqual([204, String(size)])
  })
})
