import type { Handlers } from '../../http/handler.ts'
import { findToDo } from './queries.ts'

/** Calls of the home page. */
export const home: Handlers<'home'> = {
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
