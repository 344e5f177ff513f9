import type { Requirement } from './audit/policy.ts'
import type { LawName } from './laws.ts'
import type { SecuritySettings } from './settings/security.ts'
import type { KeptElsewhere, RetentionKind } from './settings/retention.ts'

/** The entries of the register that each requirement of the policy page checks (rules/audit#policy). */
export const REQUIREMENT_LAWS: Record<Requirement, readonly LawName[]> = {
  passwordLook: ['authentication', 'passwordRules'],
  passwordHash: ['passwordHash', 'encryptionPolicy'],
  loginLock: ['loginLimit', 'strongerAuthentication'],
  secondFactor: ['outsideAccess', 'strongerAuthentication'],
  factorRequired: ['outsideAccess', 'strongerAuthentication'],
  sessionIdle: ['idleEnd', 'applicationAccess'],
  sessionEnd: ['sessionLifetime'],
  sessionLimit: ['ownAccounts', 'applicationAccess'],
  sessionBinding: ['strongerAuthentication'],
  confirmation: ['reauthentication', 'strongerAuthentication'],
  adminNetworks: ['addressLimit', 'applicationAccess'],
  disuse: ['accountProcedure', 'accessReview'],
  rightsAtOnce: ['permissionsEnded'],
  rightsRecords: ['permissionRecords'],
  rightsGrants: ['permissionRecords', 'accessReview', 'accountProcedure'],
  rightsReview: ['accessReview'],
  accessLog: ['accessLogKept', 'logStorage'],
  accessLogEnd: ['destruction', 'minimalData'],
  inspection: ['accessLogInspected', 'logReview'],
  trailGuard: ['accessLogSafe', 'logStorage'],
  portalTls: ['passwordHash', 'transmission', 'encryptionPolicy'],
  mailTls: ['passwordHash', 'transmission', 'encryptionPolicy'],
  databaseTls: ['passwordHash', 'transmission', 'encryptionPolicy'],
  backups: ['disasters', 'backupTests'],
  jobs: ['faults'],
  clock: ['clocks'],
  erasing: ['destruction', 'destructionMethod', 'destructionDelay'],
  erasureRequest: ['erasureOnRequest'],
}

/** The entries that are the legal ground of each retention period (rules/retention#settings). */
export const RETENTION_LAWS: Record<RetentionKind | KeptElsewhere, readonly LawName[]> = {
  withdrawnAccounts: ['destruction', 'destructionDelay', 'erasureOnRequest'],
  closedRequests: ['destruction'],
  refusedMails: ['destruction'],
  notifications: ['minimalData', 'destruction'],
  programTokens: ['permissionRecords'],
  trail: ['permissionRecords'],
  accessLogFiles: ['accessLogKept', 'destruction'],
  privacyRecords: ['safetyMeasures', 'destruction'],
  sessions: [],
  codes: ['destruction'],
  sentMails: ['destruction'],
  loginTries: ['loginLimit'],
  loginNetworks: [],
  accessLog: ['accessLogKept'],
}

/** The entries that the bounds or defaults of security settings follow from, which the page of these settings shows. */
export const SETTING_LAWS: Partial<Record<keyof SecuritySettings, readonly LawName[]>> = {
  sessionIdleMinutes: ['idleEnd'],
  sessionLimit: ['applicationAccess'],
  sessionBinding: ['strongerAuthentication'],
  suspendAfterDays: ['accountProcedure'],
  accessLogMonths: ['accessLogKept'],
  logCheckDays: ['accessLogSafe'],
  factorGraceDays: ['outsideAccess'],
  backupTestDays: ['disasters', 'backupTests'],
}

/** The entries that a certificate of destruction names (rules/retention#certificate). */
export const CERTIFICATE_LAWS: readonly LawName[] = ['destruction', 'destructionMethod']
