import type { FastifyInstance } from 'fastify'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Endpoint, type InputOf, type OutputOf, sharedErrorsOf } from '../../contract/endpoint.ts'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { ERRORS, type Failure } from '../../contract/errors.ts'
import { endpoints } from '../../contract/index.ts'
import { wireNames } from '../../contract/wire.ts'
import { type AppParts, createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createServices } from '../../server/create-services.ts'
import type { OpenDatabase } from '../../server/db/open.ts'
import type { Services } from '../../server/http/handler.ts'
import { mailJob } from '../../server/jobs/schedule.ts'
import { createLog } from '../../server/log.ts'
import { createPasswords } from '../../server/services/password.ts'
import { ownFolder } from './bucket.ts'
import { PASSWORD, type People, populate } from './people.ts'
import { callAt, sealInput, openOutput } from './seal.ts'
import { createOwnDatabase, type OwnDatabase } from './own-database.ts'

/** A response of the API, decrypted. */
export interface Answer<E extends Endpoint = Endpoint> {
  status: number
  /**
   * Decrypted DATA of a success, with the field names of the code. Undefined for a failure or a file, despite the type.
   */
  data: OutputOf<E>
  /** msg, code and field of a failure; msg of a success that has one. */
  msg: string | undefined
  code: Failure['code'] | undefined
  field: string | undefined
  headers: Record<string, unknown>
  /** The body unchanged. */
  raw: string
  /** The body as bytes, for a file that is not text. */
  bytes: Buffer
}

/** Options of a call. By default it has no session, comes from a new address and asks for Korean. */
export interface CallOptions {
  /** A sessionUid. */
  session?: string | undefined
  language?: string
  address?: string
  /** A service's token, for access `service`. */
  token?: string | undefined
  /** Body that is sent unchanged instead of the sealed input. */
  rawBody?: string
  headers?: Record<string, string>
}

/** A line of the server's log: pino's fields. */
export interface LogLine {
  level: number
  msg: string
  reqId?: string
  err?: { message: string; stack: string }
  /** Fields of the line. */
  [field: string]: unknown
}

/** Maru as in production, with its own database. It does not listen; calls are injected. */
export interface TestMaru extends People {
  app: FastifyInstance
  database: OpenDatabase
  /** Pool of the owner of the same database, who has more privileges than the portal. */
  owner: OwnDatabase['owner']
  services: Services
  /** DATA_DIR, with the files unless they are in a bucket. */
  dataDir: string
  /** URL of the bucket that stores the files, in `npm test s3`; undefined for the disk. */
  bucket: string | undefined
  /** Lines that the server logged, from `warn` up. */
  log: LogLine[]
  /** Makes a call, whatever its status, and fails the test if the contract does not declare the response. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>, options?: CallOptions): Promise<Answer<E>>
  /**
   * Starts a second server on the same database with separate connections. It stops with the first.
   * @param own services that replace those of the first server
   */
  startTwin(own?: Partial<Services>): Promise<Pick<TestMaru, 'app' | 'call' | 'callRaw' | 'services'>>
  /** Makes a call as `call`, but its input need not fit the contract, and the path need not be one of its calls. */
  callRaw(path: string, input: unknown, options?: CallOptions): Promise<Answer>
}

export { PASSWORD }

/** Number from which the next call without an address derives one, in 10.0.0.0/16. */
let nextAddress = 1

/**
 * Creates the Maru of a test file, on a copy of the template database. The returned object is empty until `beforeAll` has run.
 * @param env variables to set; LOG_LEVEL is warn and call limits are off by default
 * @param parts parts of the app that replace those of production
 */
export function useMaru(env: Record<string, string> = {}, parts: Partial<AppParts> = {}): TestMaru {
  const maru = {} as TestMaru
  const log: LogLine[] = []
  const dataDir = mkdtempSync(join(tmpdir(), 'maru-test-'))

  const closers: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const own = await createOwnDatabase()
    closers.push(() => own.drop())
    const bucket = ownFolder()
    const storage = bucket === undefined ? {} : { STORAGE_URL: bucket }
    const config = readConfig({
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      CALL_LIMIT_PERCENT: '0',
      ...storage,
      ...env,
    })
    const logger = createLog(config.logLevel, {
      write: (line) => log.push(JSON.parse(line) as LogLine),
    })
    const serve = async (database: OpenDatabase, differs: Partial<Services> = {}) => {
      const services = await createServices(
        { config, database, logger, say: () => {} },
        // Cheap on purpose: the tests check when a password is verified, not how long that takes.
        { passwords: createPasswords({ memoryKiB: 64, passes: 1 }), ...differs },
      )
      const app = await createApp({ database, services, logger, ...parts })
      services.jobs.start([mailJob(services.mail)])
      closers.push(async () => {
        await app.close()
        await services.jobs.stop()
        services.mail.close()
      })
      return { app, services, ...createCalls(app, database) }
    }
    const startTwin: TestMaru['startTwin'] = async (differs) => {
      const database = await own.openAgain()
      closers.push(() => database.close())
      return serve(database, differs)
    }
    const first = await serve(own.database)
    const people = populate(own.database, await first.services.passwords.hash(PASSWORD))
    const { database, owner } = own
    Object.assign(maru, { ...first, ...people, database, owner, dataDir, bucket, log, startTwin })
  })

  afterAll(async () => {
    for (const close of closers.toReversed()) await close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return maru
}

/** Returns the functions that make calls to an app. */
function createCalls(app: FastifyInstance, { pool }: OpenDatabase): Pick<TestMaru, 'call' | 'callRaw'> {
  async function callRaw(path: string, input: unknown, options: CallOptions = {}): Promise<Answer> {
    // An address per call, unless the test is about addresses: limits must not couple tests.
    const address = options.address ?? `10.0.${(nextAddress >> 8) & 255}.${nextAddress++ & 255}`
    const response = await app.inject({
      method: 'POST',
      url: API_BASE + path,
      remoteAddress: address,
      headers: {
        'content-type': 'application/json',
        'accept-language': options.language ?? 'ko',
        ...(options.session === undefined ? {} : { [SESSION_HEADER]: options.session }),
        ...options.headers,
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      },
      payload: options.rawBody ?? sealInput(callAt(path), input),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const body: { DATA?: string } & Partial<Failure> = isJson ? response.json() : {}
    const answer: Answer = {
      status: response.statusCode,
      data: openOutput(callAt(path), body),
      msg: body.msg,
      code: body.code,
      field: body.field && wireNames(callAt(path)).fromWire(body.field),
      headers: response.headers,
      raw: response.body,
      bytes: response.rawPayload,
    }
    await expectInContract(path, answer, pool)
    return answer
  }

  return {
    callRaw,
    call: (endpoint, input, options) => callRaw(endpoint.path, input, options),
  }
}

/**
 * Fails any test if the contract does not declare the response: its headers, error code and status, output,
 * and rows in the audit log.
 */
async function expectInContract(path: string, answer: Answer, pool: OpenDatabase['pool']): Promise<void> {
  // rules/running#security-headers
  expect(answer.headers, `the headers of ${path}`).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
  const endpoint = endpoints.find((entry) => entry.endpoint.path === path)?.endpoint
  if (endpoint === undefined) return
  const { status, data, code, headers } = answer
  if (status !== 200 && status !== 206) {
    expect([...sharedErrorsOf(endpoint), ...endpoint.errors], `${path} answers ${code}`).toContain(code)
    expect(status, `${path} answers ${code}`).toBe(ERRORS[code ?? 'UNEXPECTED'])
    return
  }
  if (endpoint.answer !== 'file') {
    expect(endpoint.output.parse(data), `${path} answers more than its output`).toEqual(data)
  }
  const { rows } = await pool.query<{ action: string }>(
    // A first use of a token from a new network writes a row of its own.
    `select action from audit_log where request_id = $1 and action <> 'program.network'`,
    [headers['x-request-id']],
  )
  // A bulk change writes one row per record.
  const actions = rows
    .map(({ action }) => action)
    .filter((action) => !endpoint.auditsToo?.some((too) => too === action))
  if (endpoint.auditsChangeOnly && actions.length === 0) return
  const wanted = endpoint.audit === 'none' ? [] : [endpoint.audit]
  expect(
    endpoint.auditsEach ? [...new Set(actions)] : actions,
    `what ${path} leaves in the audit log`,
  ).toEqual(wanted)
}
