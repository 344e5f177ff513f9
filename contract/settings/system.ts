import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** What the page of the system is about, in its order (rules/settings#system). */
export const SYSTEM_PARTS = [
  'version',
  'clock',
  'database',
  'storage',
  'mail',
  'jobs',
  'backups',
  'certificates',
  'disk',
] as const
/** See `SYSTEM_PARTS`. */
export type SystemPart = (typeof SYSTEM_PARTS)[number]

/** What may be wrong with a part: of each the page says what to do. */
export const SYSTEM_PROBLEMS = [
  'clockDoubted',
  'clockApart',
  'trailUnguarded',
  'accessLogStopped',
  'accessLogUnsigned',
  'accessLogTampered',
  'accessLogNotCopied',
  'databaseSettings',
  'storageAway',
  'storageLow',
  'sweepStopped',
  'scannerFails',
  'filesMissing',
  'mailNone',
  'mailAway',
  'mailsLate',
  'mailRefused',
  'jobFails',
  'jobStands',
  'jobPaused',
  'backupNone',
  'backupFailed',
  'backupLate',
  'backupTestFailed',
  'backupIncomplete',
  'certificateEnds',
  'certificateEnded',
  'diskLow',
  'diskFull',
] as const
/** See `SYSTEM_PROBLEMS`. */
export type SystemProblem = (typeof SYSTEM_PROBLEMS)[number]

/** What is told of a part; the page knows how each is shown. */
export const SYSTEM_FACTS = [
  'version',
  'nodeVersion',
  'startedAt',
  'serverTime',
  'databaseTime',
  'clockTrustedAt',
  'clockDoubtedSince',
  'databaseKind',
  'databaseVersion',
  'databaseSize',
  'storagePlace',
  'freeBytes',
  'filesMissing',
  'mailServer',
  'mailSentAt',
  'mailsWaiting',
  'mailsRefused',
  'jobRanAt',
  'backupFolder',
  'backupAt',
  'backupSize',
  'backupFailure',
  'backupNextAt',
  'backupTestedAt',
  'backupCheckedAt',
  'backupTestFailure',
  'certificateMail',
  'certificateStorage',
  'certificateDatabase',
  'dataFolder',
  'totalBytes',
] as const
/** See `SYSTEM_FACTS`. */
export type SystemFact = (typeof SYSTEM_FACTS)[number]

/** What the server does by itself: the page names each. */
export const SYSTEM_JOBS = [
  'mail',
  'settings',
  'servers',
  'sessions',
  'accounts',
  'token-ends',
  'notification-mails',
  'daily-notification-mails',
  'access-log',
  'access-log-copies',
  'access-log-months',
  'rows',
  'erasures',
  'counts',
  'key-secrets',
  'files',
  'certificates',
  'backup',
  'journal',
] as const
/** See `SYSTEM_JOBS`. */
export type SystemJob = (typeof SYSTEM_JOBS)[number]

/** How the portal is doing, as the server that answers sees it (rules/settings#system). */
export const getSystem = endpoint({
  path: '/set/v1/get/system',
  summary: 'State of the system',
  access: { function: ['autho_setting_manage'] },
  input: z.strictObject({}),
  output: z.object({
    parts: z.array(
      z.object({
        part: z.enum(SYSTEM_PARTS),
        /** `attention`: something is to be done, and nothing is lost yet. */
        state: z.enum(['good', 'attention', 'bad']),
        problems: z.array(z.enum(SYSTEM_PROBLEMS)),
        facts: z.array(
          z.object({
            fact: z.enum(SYSTEM_FACTS),
            /** Of which job; '' otherwise. */
            target: z.string(),
            /** A text, a time, or a number as text; '' where there is nothing yet. */
            value: z.string(),
          }),
        ),
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})
