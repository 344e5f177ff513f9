import { endpoint, USUAL_LIMIT } from '../endpoint.ts'

/** The parts of the file with the caller's own data, in order (rules/retention#own-data). */
export const OWN_DATA = [
  'account',
  'formerIds',
  'requests',
  'notices',
  'comments',
  'confirmations',
  'keys',
  'programs',
  'notifications',
  'sessions',
  'secondFactors',
  'singleSignOn',
  'provisioning',
  'factorResets',
  'privacyAcceptances',
  'networks',
  'savedSearches',
  'seenBy',
] as const
/** Name of a part of the file with the caller's own data. */
export type OwnDataPart = (typeof OWN_DATA)[number]

/**
 * Exports all data that the portal stores of the caller as a JSON file, without secrets (rules/retention#own-data).
 * Needs password re-entry, else PASSWORD_CHECK_REQUIRED. EXPORT_BUSY if another export of the caller or too many others
 * are running.
 */
export const exportOwnData = endpoint({
  path: '/stm/v1/exp/ownData',
  summary: 'Download my data as a JSON file',
  title: { ko: '내 정보 내려받기', en: 'Downloaded their own data' },
  access: 'signed-in',
  confirmed: 'gate',
  errors: ['EXPORT_BUSY'],
  audit: 'account.export',
  personal: ['export', 'own'],
  limit: USUAL_LIMIT,
  answer: 'file',
})
