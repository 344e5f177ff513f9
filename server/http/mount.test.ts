import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DEFAULT_ENVELOPE } from '../../contract/envelope.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { openOutput } from '../../dev/test-kit/seal.ts'
import { createEnvelope } from './envelope.ts'
import { createAdmission } from './admission/admission.ts'
import { createCallLimits } from './admission/caller-rate-limits.ts'
import { answerError } from './error-response.ts'
import { mount } from './mount.ts'

/* Checks the behavior of every call on calls that the contract does not have: handlers that make mistakes. */
const maru = useMaru()
const app = Fastify()
const envelope = createEnvelope(DEFAULT_ENVELOPE)

const careless = endpoint({
  path: '/test/careless',
  summary: 'A handler that answers a whole row',
  access: 'public',
  output: z.object({ name: z.string(), notices: z.array(z.object({ userId: z.string() })) }),
  audit: 'none',
  personal: 'none',
})
const wrong = endpoint({ ...careless, path: '/test/wrong', summary: 'A handler whose answer lacks a field' })
const ofService = endpoint({ ...careless, path: '/test/service', access: 'service', audit: 'key.revoke' })
const unnamed = endpoint({ ...careless, path: '/test/unnamed', summary: 'A change without an audit action' })

const alone = endpoint({
  ...careless,
  path: '/test/alone',
  summary: 'A step that needs two people, which nothing checks',
  audit: 'role.rename',
  fourEyes: true,
})

beforeAll(() => {
  app.setErrorHandler(answerError)
  const { db, pool, longReads } = maru.database
  const admission = createAdmission(pool.options.max)
  const parts = {
    db,
    pool,
    longReads,
    services: maru.services,
    admission,
    callLimits: createCallLimits(100),
    envelope,
    clock: () => new Date(),
  }
  const row = { name: '김하늘', passwordHash: '$argon2id$', notices: [{ userId: '1', token: 'secret' }] }
  mount(app, careless, () => Promise.resolve(row), parts)
  mount(app, wrong, () => Promise.resolve({ notices: [], secret: 'inside' } as never), parts)
  mount(
    app,
    ofService,
    async (call) => {
      await call.db.transaction().execute((tx) => call.audit(tx, { target: call.actor.name, records: null }))
      return row
    },
    parts,
  )
  for (const each of [unnamed, alone])
    mount(
      app,
      each,
      async (call) => {
        await call.db.transaction().execute((tx) => call.audit(tx, { target: 'x', records: null }))
        return row
      },
      parts,
    )
})
afterAll(() => app.close())

describe('every answer (rules/wire#success)', () => {
  test('is stripped to its output schema, even in lists, so that no new column leaks', async () => {
    const response = await app.inject({ method: 'POST', url: '/api/test/careless' })
    expect(openOutput(careless, response.body)).toEqual({
      name: '김하늘',
      notices: [{ userId: '1' }],
    })
  })

  test('answers 500 without details if a response does not match its schema', async () => {
    const response = await app.inject({ method: 'POST', url: '/api/test/wrong' })
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({ code: 'UNEXPECTED', msg: '관리자에게 문의해주세요.' })
  })

  test.each([
    ['audits without an action in the contract', unnamed],
    ['needs two people (rules/roles#four-eyes) and did not check them', alone],
  ])('is a 500 for a call that %s, and nothing is written', async (_what, { path }) => {
    expect((await app.inject({ method: 'POST', url: `/api${path}` })).statusCode).toBe(500)
    expect((await maru.database.pool.query('select from audit_log')).rowCount).toBe(0)
  })
  test('names no user in the audit log for a change by a service', async () => {
    const { token } = await maru.createService()
    const response = await app.inject({
      method: 'POST',
      url: '/api/test/service',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.statusCode).toBe(200)
    const { rows } = await maru.database.pool.query('select action, actor_id from audit_log')
    expect(rows).toEqual([{ action: 'key.revoke', actor_id: null }])
  })
})
