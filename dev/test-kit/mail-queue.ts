import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Selectable } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { mailTexts } from '../../contract/messages/mails.ts'
import { readConfig } from '../../server/config.ts'
import type { OpenDatabase } from '../../server/db/open.ts'
import type { Database } from '../../server/db/types.ts'
import { mailJob } from '../../server/jobs/list.ts'
import { createJobs } from '../../server/jobs/runner.ts'
import { openMail, queueMail } from '../../server/services/mail.ts'
import { createOwnDatabase, type OwnDatabase } from './own-database.ts'
import { startSmtp, type TestSmtp } from './smtp.ts'

/** The code in every mail of `queue`. */
export const CODE = '482913'

/** What sends mails in a server. */
export interface TestSender {
  wake(): void
  isAway(): boolean
  stop(): Promise<void>
  /** How often it has looked for a mail. */
  looks(): number
  /** Waits until it has looked anew, and done what it found. */
  looked(): Promise<void>
}

/** How a sender differs from a server's on the kit's mail server. */
export interface SenderOptions {
  env?: Record<string, string>
  /** A mail takes no longer than this. */
  sendMs?: number
  /** How long it may go on once it is told to stop. */
  stopMs?: number
  say?: (line: string) => void
}

/** A queue of mails with a mail server of its own, and senders as a test starts them. */
export interface TestQueue {
  database: OpenDatabase
  dataDir: string
  smtp: TestSmtp
  /** What the senders logged. */
  log: string[]
  /** A sender such as every server has, looking every 50 ms unless told otherwise; stopped after the test. */
  startSender(options?: SenderOptions): TestSender
  /** Queues a code, in a transaction of its own. */
  queue(to: string | null, expiresInSeconds?: number): Promise<void>
  rows(): Promise<Selectable<Database['mails']>[]>
  /** Waits until every mail has left. */
  emptied(): Promise<void>
}

/** Gives the test file a queue, empty before each test. */
export function useMailQueue(): TestQueue {
  const dataDir = mkdtempSync(join(tmpdir(), 'maru-mail-'))
  let own: OwnDatabase
  let senders: TestSender[] = []

  const kit = {} as TestQueue
  Object.assign(kit, {
    dataDir,
    log: [],
    startSender({ env = {}, sendMs = 30_000, stopMs = 1_000, say = () => {} }: SenderOptions = {}) {
      const config = readConfig({
        SMTP_URL: kit.smtp.url,
        DATA_DIR: dataDir,
        COMPANY_NAME: '마루상사',
        ...env,
      })
      const logger = pino({ level: 'info' }, { write: (line) => kit.log.push(line) })
      const jobs = createJobs(logger, stopMs)
      const wake = () => jobs.wake('mail')
      const mail = openMail({ pool: own.database.pool, config, logger, say, wake, sendMs })
      let [begun, ended] = [0, 0]
      const sendNext = (signal: AbortSignal) => {
        begun += 1
        return mail.sendNext(signal).finally(() => (ended += 1))
      }
      const sender: TestSender = {
        wake,
        isAway: () => mail.isAway(),
        looks: () => begun,
        async looked() {
          // Those that have begun may have looked before what the test did.
          const enough = begun + 1
          await eventually(() => expect(ended).toBeGreaterThanOrEqual(enough))
        },
        async stop() {
          await jobs.stop()
          mail.close()
        },
      }
      jobs.start([{ ...mailJob({ ...mail, sendNext }), everySeconds: 0.05 }])
      senders.push(sender)
      return sender
    },
    async queue(to: string | null, expiresInSeconds?: number) {
      const text = mailTexts.ko.signUpCode('마루상사', CODE)
      const expiry = expiresInSeconds === undefined ? {} : { expiresInSeconds }
      await own.database.db
        .transaction()
        .execute((tx) => queueMail(tx, { to, language: 'ko', text, link: null, requester: 'kit', ...expiry }))
    },
    rows: () => own.database.db.selectFrom('mails').selectAll().orderBy('id').execute(),
    async emptied() {
      await eventually(async () => expect(await kit.rows()).toEqual([]))
    },
  } satisfies Partial<TestQueue>)

  beforeAll(async () => {
    own = await createOwnDatabase()
    kit.database = own.database
  })
  beforeEach(async () => {
    await own.database.pool.query('delete from mails')
    kit.log = []
    kit.smtp = await startSmtp()
  })
  afterEach(async () => {
    await Promise.all(senders.map((sender) => sender.stop()))
    senders = []
    await kit.smtp.close()
  })
  afterAll(async () => {
    await own.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return kit
}

/** Waits, on a busy machine too, until the expectations of `check` hold. */
export async function eventually(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: 60_000 })
}
