import { expect } from 'vitest'
import { certifyEmail, CERTIFY_TYPE } from '../../contract/account.ts'
import { mailJob } from '../../server/jobs/schedule.ts'
import type { Answer, CallOptions, TestMaru } from './maru.ts'
import type { TestSmtp } from './smtp.ts'

/** Purpose of a verification code. */
export type Purpose = keyof typeof CERTIFY_TYPE

/** Returns a code of six digits that differs from this one. */
export function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

/** Creates functions that request verification codes and read them from received mails. */
export function certifier(maru: TestMaru, smtp: TestSmtp) {
  /**
   * Requests a code, and returns the response.
   * @param userId login ID; undefined for find ID
   */
  function certify(purpose: Purpose, email: string, userId?: string, options?: CallOptions): Promise<Answer> {
    const request = {
      email,
      certificationType: CERTIFY_TYPE[purpose],
      ...(userId === undefined ? {} : { userId, phoneNumber: '01012345678' }),
    }
    return maru.call(certifyEmail, request, options)
  }

  /**
   * Requests a code and returns it from the mail; '' if the mail has none. Fails the test if the request is refused,
   * and waits without a limit for the mail.
   */
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

  /**
   * Waits until the mail queue is empty, so that no further mail arrives. Fails the test if it does not become empty.
   */
  async function allSent(): Promise<void> {
    await expect.poll(() => maru.database.db.selectFrom('mails').select('id').execute()).toEqual([])
  }

  /** Deletes queued mails, starts the mail server if it is down, and waits until it accepts every recipient. */
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
