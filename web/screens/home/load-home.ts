import { getAuthority } from '../../../contract/common.ts'
import { HOME_NOTICES, listNotices } from '../../../contract/notices.ts'
import { prefetch, query } from '../../api/query.ts'

/** Query of the 4 newest published notices, regardless of pins (rules/home#notice-panel). */
export const newestNotices = {
  ...query(listNotices, { scheduled: false, page: 1, perPage: HOME_NOTICES }),
  meta: { isLive: true },
}

/**
 * Prefetches the newest notices, and the user's role and permissions, for which it waits because they determine the
 * layout of the home page.
 */
export async function load(): Promise<void> {
  void prefetch(newestNotices)
  // One attempt only: the screen itself retries and shows that it does.
  await prefetch({ ...query(getAuthority, {}), retry: false })
}
