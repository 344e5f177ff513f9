import { expect } from 'vitest'
import { certifyEmail, CERTIFY_TYPE } from '../../contract/account.ts'
import { mailJob } from '../../server/jobs/list.ts'
import type { Answer, CallOptions, TestMaru } from './maru.ts'
import type { TestSmtp } from './smtp.ts'

/** What a certification is for. */
export type Purpose = keyof typeof CERTIFY_TYPE

/** A code that is not this one. */
export function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

/** Asks for codes and reads them from the mails that come. */
export function certifier(maru: TestMaru, smtp: TestSmtp) {
  /** Asks for a code; `userId` is left out for find ID. */
  function certify(purpose: Purpose, email: string, userId?: string, options?: CallOptions): Promise<Answer> {
    const request = {
      email,
      certificationType: CERTIFY_TYPE[purpose],
      ...(userId === undefined ? {} : { userId, phoneNumber: '01012345678' }),
    }
    return maru.call(certifyEmail, request, options)
  }

  /** Asks for a code and reads it from the mail. */
  async function getCode(
    purpose: Purpose,
    email: string,
    userId?: string,
    options?: CallOptions,
  ): Promise<string> {
    const since = smtp.mails.length
    expect((await certify(purpose, email, userId, options)).status).toBe(200)
    const { text } = await smtp.mailTo(email, since)
    return /^\d{6}$/m.exec(text)?.[0] ?? ''
  }

  /** Waits until every queued mail has left, so that what has not come will not come. */
  async function allSent(): Promise<void> {
    await expect.poll(() => maru.database.db.selectFrom('mails').select('id').execute()).toEqual([])
  }

  /** Forgets what is on its way; the mail server is there and takes everything. */
  async function startAfresh(): Promise<void> {
    const { jobs, mail } = maru.services
    await jobs.stop()
    await maru.database.db.deleteFrom('mails').execute()
    await smtp.up()
    smtp.onRecipient = () => undefined
    jobs.start([mailJob(mail)])
    await expect.poll(() => mail.isAway()).toBe(false)
  }

  return { certify, getCode, allSent, startAfresh }
}
