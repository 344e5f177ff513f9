import { BULLET, createNotice } from '../../../contract/notices.ts'
import { type Portal, RefusedError } from '../portal.ts'

/** Number of writers of `startWriters`. */
const PEOPLE = 4

/** Writers that create notices one after another, also while the server fails. */
export interface Writers {
  /** The notices that the server has confirmed, in order; `at` is a `performance.now()`. */
  acknowledged: { id: string; at: number }[]
  /** Status and code of each refusal, or the error of the connection. */
  refused: string[]
  /** Waits until the writers have finished their current calls. */
  stop: () => Promise<void>
}

/**
 * Starts four writers who write one notice after another, all in the session of the portal. A failed write is followed
 * by the next one after 100 ms.
 */
export function startWriters(portal: Portal): Writers {
  const writers: Omit<Writers, 'stop'> = { acknowledged: [], refused: [] }
  const over = new AbortController()
  const people = Array.from({ length: PEOPLE }, async (_, person) => {
    for (let n = 0; !over.signal.aborted; n++) {
      try {
        const notice = { bulletCode: BULLET.notice, title: `${person} ${n}`, memo: '' } as const
        const { noticeId } = await portal.call(createNotice, notice)
        writers.acknowledged.push({ id: noticeId, at: performance.now() })
      } catch (error) {
        writers.refused.push(error instanceof RefusedError ? `${error.status} ${error.code}` : String(error))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  })
  return {
    ...writers,
    async stop() {
      over.abort()
      await Promise.all(people)
    },
  }
}
