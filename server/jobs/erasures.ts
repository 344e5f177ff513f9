import { RETENTION, RETENTION_KINDS, type RetentionKind } from '../../contract/settings/retention.ts'
import type { Db } from '../db/database.ts'
import { eraseClosedRequests } from '../domains/approvals/index.ts'
import { eraseLogFiles, erasePrivacyRecords, eraseTrail } from '../domains/audit/index.ts'
import { eraseEndedTokens } from '../domains/keys/index.ts'
import { eraseNotifications } from '../domains/notifications/index.ts'
import { retentionInForce } from '../domains/settings/index.ts'
import { eraseWithdrawn } from '../domains/users/index.ts'
import { eraseRefusedMails } from '../services/mail/queue.ts'
import type { SealKeys } from '../services/encryption.ts'

/**
 * Functions that erase each kind of expired data, by the domain that owns it. Each returns the number of erased rows, at most
 * `most`. `keptFor` is the retention period, in the unit of its kind.
 */
const ERASERS: Record<
  RetentionKind,
  (tx: Db, keptFor: number, most: number, keys: SealKeys) => Promise<number>
> = {
  withdrawnAccounts: eraseWithdrawn,
  closedRequests: eraseClosedRequests,
  refusedMails: eraseRefusedMails,
  notifications: eraseNotifications,
  programTokens: eraseEndedTokens,
  trail: eraseTrail,
  accessLogFiles: eraseLogFiles,
  privacyRecords: erasePrivacyRecords,
}

/** Most rows that a batch erases of each kind: few enough not to delay concurrent writers. */
const BATCH = 200

/**
 * Erases a batch of each kind of data that has expired by the current settings (rules/retention#erasing). Erases nothing while
 * erasing is off. The erased rows and the row that records the erasure are one transaction, so neither exists without the other
 * if a server is killed. Concurrent servers take different rows.
 * @param most rows per kind, BATCH by default
 * @returns whether there may be more; false after the signal aborts
 */
export async function eraseExpired(
  db: Db,
  keys: SealKeys,
  signal: AbortSignal,
  most = BATCH,
): Promise<boolean> {
  let isMore = false
  for (const kind of RETENTION_KINDS) {
    if (signal.aborted) return false
    const erased = await db.transaction().execute(async (tx) => {
      const kept = await retentionInForce(tx)
      if (kept === undefined) return 0
      const n = await ERASERS[kind](tx, kept[kind], most, keys)
      if (n > 0)
        await tx
          .insertInto('erasures')
          .values({ kind, method: RETENTION[kind].method, keptFor: kept[kind], n })
          .execute()
      return n
    })
    isMore ||= erased >= most
  }
  return isMore
}
