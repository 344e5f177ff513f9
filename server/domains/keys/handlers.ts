import type { Handlers } from '../../http/handler.ts'
import { exportKeys, listKeyDistricts, listKeyProvinces, listKeys, getKeyStatistics } from './history.ts'
import { issueKey, revokeKey, revokeKeys } from './issue.ts'
import * as accounts from './program-accounts.ts'
import * as programs from './programs.ts'
import { listFormerKeyHolders, listKeySecrets } from './secrets.ts'
import * as services from './services.ts'
import { getPartnerUsage } from './usage.ts'
import { verifyKey } from './verify.ts'

/**
 * Handlers of the calls about issued keys: issue, history, export, statistics, revocation, verification and key
 * secrets; and about the accounts, programs and services that issue and verify them by tokens.
 */
export const keys: Handlers<'keys'> = {
  ...accounts,
  ...programs,
  ...services,
  listKeys,
  exportKeys,
  listKeyProvinces,
  listKeyDistricts,
  issueKey,
  revokeKey,
  revokeKeys,
  verifyKey,
  listKeySecrets,
  listFormerKeyHolders,
  getPartnerUsage,
  getKeyStatistics,
}
