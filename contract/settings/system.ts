import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** The parts of the system page, in order (rules/settings#system). */
export const SYSTEM_PARTS = [
  'version',
  'clock',
  'database',
  'storage',
  'mail',
  'jobs',
  'backups',
  'certificates',
  'logExport',
  'disk',
] as const
/** See `SYSTEM_PARTS`. */
export type SystemPart = (typeof SYSTEM_PARTS)[number]

/** The problems of the parts; the page shows what to do about each. */
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
  'logExportLate',
  'diskLow',
  'diskFull',
] as const
/** See `SYSTEM_PROBLEMS`. */
export type SystemProblem = (typeof SYSTEM_PROBLEMS)[number]

/** The facts shown about a part; the page formats each. */
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
  'certificateSyslog',
  'syslogServer',
  'syslogWaits',
  'exportFolder',
  'exportWaits',
  'dataFolder',
  'totalBytes',
] as const
/** See `SYSTEM_FACTS`. */
export type SystemFact = (typeof SYSTEM_FACTS)[number]

/** The jobs that the server runs automatically; the page has a name for each. */
export const SYSTEM_JOBS = [
  'mail',
  'settings',
  'servers',
  'sessions',
  'accounts',
  'token-ends',
  'events',
  'notification-mails',
  'daily-notification-mails',
  'access-log',
  'access-log-copies',
  'access-log-months',
  'log-export-syslog',
  'log-export-files',
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

/** Returns the state of the portal, as the server that responds sees it (rules/settings#system). */
export const getSystem = endpoint({
  path: '/set/v1/get/system',
  summary: 'Read the state of the system',
  access: { function: ['autho_setting_manage'] },
  output: z.object({
    parts: z.array(
      z.object({
        part: z.enum(SYSTEM_PARTS),
        /** `attention`: an operator must act, but no data are lost yet. */
        state: z.enum(['good', 'attention', 'bad']),
        problems: z.array(z.enum(SYSTEM_PROBLEMS)),
        facts: z.array(
          z.object({
            fact: z.enum(SYSTEM_FACTS),
            /** The job concerned; '' for other facts. */
            target: z.string(),
            /** A text, a time, or a number as text; '' if there is no value yet. */
            value: z.string(),
          }),
        ),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})
