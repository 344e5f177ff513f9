import { getAuthority } from '../../../contract/common.ts'
import { HOME_NOTICES, listNotices } from '../../../contract/notices.ts'
import { prefetch, query } from '../../api/query.ts'

/** The 4 newest notices that are published, whatever is pinned on the board (rules/home#notice-panel). */
export const newestNotices = query(listNotices, { scheduled: false, page: 1, perPage: HOME_NOTICES })

/** Asks while the screen is on its way, and waits for the group: it decides how home is laid out. */
export async function load(): Promise<void> {
  void prefetch(newestNotices)
  // One try: the screen itself tries again, and shows meanwhile that it does.
  await prefetch({ ...query(getAuthority, {}), retry: false })
}
