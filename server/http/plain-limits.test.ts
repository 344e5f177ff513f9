import { expect, test } from 'vitest'
import { PER_PERSON } from '../../contract/endpoint.ts'
import { PLAIN_BASE } from '../../contract/envelope.ts'
import { createProgram } from '../../contract/keys.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { programsOf } from '../../dev/test-kit/programs.ts'

const maru = useMaru({ CALL_LIMIT_PERCENT: '1' })
const { passGate } = programsOf(maru)

test('answers 429 with Retry-After and RateLimit to a program with too many calls (rules/wire#problems)', async () => {
  const admin = await maru.createUser({ role: 'admin' })
  await passGate(admin)
  const { data } = await maru.call(createProgram, { programName: 'reader', scopes: ['users:read'] }, admin)
  const send = () =>
    maru.app.inject({
      method: 'POST',
      url: `${PLAIN_BASE}/users/listUsers`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${data.programToken}` },
      payload: '{}',
    })
  const points = PER_PERSON.read.points / 100
  for (let left = points - 1; left >= 0; left -= 1) {
    const answer = await send()
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['ratelimit-policy']).toBe(`"read";q=${points};w=60`)
    expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"read";r=${left};t=\\d+$`))
  }
  const refused = await send()
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([429, 'TOO_MANY_CALLS'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.headers['ratelimit']).toMatch(/^"read";r=0;t=\d+$/)
})
