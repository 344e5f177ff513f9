import type { Handlers } from '../../http/handler.ts'
import { endProgram, listAllPrograms } from './all-programs.ts'
import { exportKeys } from './export.ts'
import { listKeyDistricts, listKeyProvinces, listKeys } from './history.ts'
import { issueKey } from './issue.ts'
import { createProgram, listPrograms, revokeProgram, rollProgram } from './programs.ts'
import { revokeKey } from './revoke.ts'
import { listFormerKeyHolders, listKeySecrets } from './list-secrets.ts'
import { createService, listServices, revokeService, rollService } from './services.ts'
import { getKeyStatistics } from './statistics.ts'
import { getPartnerUsage } from './usage.ts'
import { verifyKey } from './verify.ts'

/** Handlers of issued keys: issue, history, revocation and verification, and the programs and services that use them. */
export const keys: Handlers<'keys'> = {
  listKeys,
  exportKeys,
  listKeyProvinces,
  listKeyDistricts,
  issueKey,
  revokeKey,
  verifyKey,
  listKeySecrets,
  listFormerKeyHolders,
  listPrograms,
  createProgram,
  rollProgram,
  revokeProgram,
  listAllPrograms,
  endProgram,
  listServices,
  createService,
  rollService,
  revokeService,
  getPartnerUsage,
  getKeyStatistics,
}
