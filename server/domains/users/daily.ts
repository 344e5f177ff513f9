import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import type { OpenDatabase } from '../../db/open.ts'
import { MAY_LOG_IN } from '../../db/sql.ts'
import type { Mail } from '../../services/mail.ts'
import { runDaily } from './daily/run.ts'

const LOOK_EVERY_MS = 60 * 1000

/** Mails come when people begin to work, not at midnight. Korean time. */
const FROM_HOUR = 8

/**
 * Ends what has run out, every minute and on every server: the sessions of accounts that may not log in any more, for
 * good; and from eight in the morning, once a day and on one server, what `runDaily` does.
 * @returns stops it and waits for what runs
 */
export function startDaily(
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  config: Config,
  logger: FastifyBaseLogger,
  mail: Pick<Mail, 'wake'>,
): () => Promise<void> {
  let doneOn = ''
  const look = async () => {
    try {
      // The calls of such a session are refused anyway (`findSession`): without its row no extension revives it.
      await pool.query(
        `delete from sessions s where not exists (select from users where id = s.user_id and ${MAY_LOG_IN})`,
      )
      const [day = '', hour = ''] = koreanTime()
      if (Number(hour) < FROM_HOUR || day === doneOn) return
      if (await runDaily(db, config)) mail.wake()
      doneOn = day
    } catch (error) {
      logger.error({ err: error }, 'the daily run failed and is tried again in a minute')
    }
  }
  let running = look()
  const timer = setInterval(() => {
    // A run that takes longer than a minute is not joined by a second.
    running = running.then(look)
  }, LOOK_EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** The day and the hour in Asia/Seoul. */
function koreanTime(): string[] {
  return new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' }).split(/[ :]/)
}
