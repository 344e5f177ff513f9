import type { Handlers } from '../../http/handler.ts'
import { findToDo } from './queries.ts'

/** Handler of the call of the home page. */
export const home: Handlers<'home'> = {
  /**
   * Returns the tasks that wait for the caller (`findToDo`). The fields of a task whose permission the caller lacks are
   * absent, not 0. Notices to confirm and the end of the own account need no permission; that end is absent unless near.
   */
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
