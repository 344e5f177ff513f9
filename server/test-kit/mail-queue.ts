import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Selectable } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { mailTexts } from '../../contract/messages/mails.ts'
import { readConfig } from '../config.ts'
import type { OpenDatabase } from '../db/open.ts'
import type { Database } from '../db/types.ts'
import { type Mail, type MailTiming, queueMail, startMail } from '../services/mail.ts'
import { createOwnDatabase, type OwnDatabase } from './own-database.ts'
import { startSmtp, type TestSmtp } from './smtp.ts'

/** The code in every mail of `queue`. */
export const CODE = '482913'

/** A queue of mails with a mail server of its own, and senders as a test starts them. */
export interface TestQueue {
  database: OpenDatabase
  dataDir: string
  smtp: TestSmtp
  /** What the senders logged. */
  log: string[]
  /** A sender such as every server has, looking every 50 ms unless told otherwise; stopped after the test. */
  startSender(timing?: Partial<MailTiming>, url?: string): Mail
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
  let senders: Mail[] = []

  const kit = {} as TestQueue
  Object.assign(kit, {
    dataDir,
    log: [],
    startSender(timing: Partial<MailTiming> = {}, url = kit.smtp.url) {
      const config = readConfig({ SMTP_URL: url, DATA_DIR: dataDir, COMPANY_NAME: '마루상사' })
      const logger = pino({ level: 'info' }, { write: (line) => kit.log.push(line) })
      const all = { pollMs: 50, sendMs: 10_000, stopMs: 1_000, ...timing }
      const sender = startMail(own.database.pool, config, logger, () => {}, all)
      senders.push(sender)
      return sender
    },
    async queue(to: string | null, expiresInSeconds?: number) {
      const text = mailTexts.ko.signUpCode('마루상사', CODE)
      const expiry = expiresInSeconds === undefined ? {} : { expiresInSeconds }
      await own.database.db
        .transaction()
        .execute((tx) => queueMail(tx, { to, language: 'ko', text, ...expiry }))
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

/** Long enough for a sender that looks every 50 ms to have done what it must not do. */
export const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400))

/** Waits, on a busy machine too, until the expectations of `check` hold. */
export async function eventually(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: 10_000 })
}
