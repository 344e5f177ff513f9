import type { Handlers } from '../../http/handler.ts'
import { findToDo } from './queries.ts'

/** The first page after logging in. */
export const home: Handlers<'home'> = {
  async getToDo({ db, actor, now }) {
    const { ownEnd, requestCount, endingCount, nearLimitCount, keys, ...own } = await findToDo(
      db,
      actor,
      now(),
    )
    return {
      ...own,
      ...(ownEnd !== null && { ownEnd }),
      ...(requestCount !== null && { requestCount }),
      ...(endingCount !== null && { endingCount }),
      ...(nearLimitCount !== null && { nearLimitCount }),
      ...(keys !== null && { keys }),
    }
  },
}
