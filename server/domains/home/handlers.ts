import type { Handlers } from '../../http/handler.ts'
import { findToDo } from './queries.ts'

/** Handler of the call of the home page. It leaves out the tasks that the caller lacks the permission for. */
export const home: Handlers<'home'> = {
  /** Returns the tasks that wait for the caller (`findToDo`). */
  async getToDo({ db, actor, now }) {
    const { ownEnd, keys, ...found } = await findToDo(db, actor, now())
    const {
      factorResetCount,
      requestCount,
      endingCount,
      nearLimitCount,
      inspectionCount,
      reviewCount,
      ...own
    } = found
    return {
      ...own,
      ...(ownEnd !== null && { ownEnd }),
      ...(requestCount !== null && { requestCount }),
      ...(factorResetCount !== null && { factorResetCount }),
      ...(endingCount !== null && { endingCount }),
      ...(nearLimitCount !== null && { nearLimitCount }),
      ...(inspectionCount !== null && { inspectionCount }),
      ...(reviewCount !== null && { reviewCount }),
      ...(keys !== null && { keys }),
    }
  },
}
