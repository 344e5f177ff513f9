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
import { mailJob } from '../../server/jobs/schedule.ts'
import { createJobs } from '../../server/services/job-runner.ts'
import { openMail, queueMail } from '../../server/services/mail.ts'
import { createOwnDatabase, type OwnDatabase } from './own-database.ts'
import { startSmtp, type TestSmtp } from './smtp.ts'

/** The code in every mail of `queue`, for which tests search. */
export const CODE = '482913'

/** The mail sender of a server. */
export interface TestSender {
  /** Makes it poll soon. */
  wake(): void
  /** Returns whether it considers the mail server unavailable. */
  isAway(): boolean
  stop(): Promise<void>
  /** Returns how often it has polled for queued mails. */
  looks(): number
  /** Waits until it has polled again and processed the mails that it found. */
  looked(): Promise<void>
}

/** Deviations from the mail sender of a server that uses the mail server of the kit. */
export interface SenderOptions {
  /** Environment variables of the server. */
  env?: Record<string, string>
  /** Time limit of sending a mail, in milliseconds. */
  sendMs?: number
  /** Milliseconds that it may continue after the stop signal. */
  stopMs?: number
  /** Receives the lines about written .eml files. */
  say?: (line: string) => void
}

/** A mail queue with its own database and mail server, and the senders that a test starts. */
export interface TestQueue {
  database: OpenDatabase
  dataDir: string
  smtp: TestSmtp
  /** Lines that the senders logged. */
  log: string[]
  /** Starts a sender like that of a server. It polls every 50 ms, and stops after the test. */
  startSender(options?: SenderOptions): TestSender
  /**
   * Queues a mail with `CODE` in a separate transaction.
   * @param to address of the recipient; null for a mail without a recipient
   */
  queue(to: string | null, expiresInSeconds?: number): Promise<void>
  /** Returns the queued mails in the order of their IDs. */
  rows(): Promise<Selectable<Database['mails']>[]>
  /** Waits until the queue is empty. A mail that has failed permanently stays in it. */
  emptied(): Promise<void>
}

/** Creates the mail queue of a test file. It is empty before each test, and has a new mail server. */
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
        ...env,
      })
      const logger = pino({ level: 'info' }, { write: (line) => kit.log.push(line) })
      const jobs = createJobs(logger, stopMs)
      const wake = () => jobs.wake('mail')
      const mail = openMail({
        pool: own.database.pool,
        dataDir: config.dataDir,
        server: () => ({ smtpUrl: config.secrets.smtpUrl, from: config.mail.from }),
        logger,
        say,
        wake,
        sendMs,
      })
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

/**
 * Waits until `check` throws no error, for up to 60 seconds.
 * @throws the last error of `check` after that
 */
export async function eventually(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: 60_000 })
}
