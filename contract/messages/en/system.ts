import type { SystemJob } from '../../settings.ts'
import type { SystemTexts } from '../ko/system.ts'

/** `ko/system.ts` in English. */
export const system: SystemTexts = {
  lead: 'What the server sees that answered this page.',
  loading: 'Loading the state of the system.',
  failed: 'The state of the system could not be loaded.',
  reload: 'Refresh',
  allGood: 'Everything is well.',
  someWrong: (count) => (count === 1 ? 'One part needs a look.' : `${count} parts need a look.`),
  states: { good: 'Good', attention: 'Look at this', bad: 'Act now' },
  unset: 'Not set',
  none: 'Not yet',
  parts: {
    version: 'Version',
    clock: 'Clock',
    database: 'Database',
    storage: 'Attached files',
    mail: 'Mail',
    jobs: 'Automatic work',
    backups: 'Backups',
    certificates: 'Certificates',
    disk: 'Disk of the server',
  },
  facts: {
    version: 'Maru',
    nodeVersion: 'Node.js',
    startedAt: 'Started',
    serverTime: 'Time of the server',
    databaseTime: 'Time of the database',
    clockTrustedAt: 'Last right at',
    clockDoubtedSince: 'Automatic work paused at',
    databaseKind: 'Kind',
    databaseVersion: 'PostgreSQL',
    databaseSize: 'Size',
    storagePlace: 'Where',
    freeBytes: 'Free',
    filesMissing: 'Missing files',
    mailServer: 'Mail server',
    mailSentAt: 'Last mail sent',
    mailsWaiting: 'Mails waiting',
    mailsRefused: 'Refused mails',
    jobRanAt: 'Last finished',
    backupFolder: 'Where',
    backupAt: 'Last backup',
    backupSize: 'Size',
    backupFailure: 'Why it failed',
    backupNextAt: 'Next backup',
    backupTestedAt: 'Last test restore',
    backupCheckedAt: 'Checksums last verified (encrypted backup, not restored)',
    backupTestFailure: 'Why the test failed',
    certificateMail: 'Mail server, valid until',
    certificateStorage: 'Storage, valid until',
    certificateDatabase: 'Database, valid until',
    dataFolder: 'Where',
    totalBytes: 'Size',
  },
  databaseKinds: { own: 'The one that comes with Maru', given: 'A database server of yours' },
  jobs: {
    mail: 'Sending mails',
    settings: 'Applying settings',
    servers: 'Seeing which servers run',
    sessions: 'Ending expired logins',
    accounts: 'Validity of accounts (daily at 8)',
    'token-ends': 'Telling of tokens that end soon',
    'notification-mails': 'Mails of notifications',
    'daily-notification-mails': 'Daily mails of notifications (at 8)',
    'access-log': 'Signing the access log',
    'access-log-copies': 'Copying signatures of the access log',
    'access-log-months': 'Archiving the access log',
    rows: 'Removing old records',
    erasures: 'Erasing what is over',
    counts: 'Adding up counts',
    'key-secrets': 'Counting keys of former secrets',
    files: 'Checking attached files',
    certificates: 'Looking at certificates',
    backup: 'Backups',
    journal: 'Keeping the journal',
  } satisfies Record<SystemJob, string>,
  noCertificates: 'No mail server, storage or database is reached by TLS, or none has been looked at yet.',
  problems: {
    clockDoubted:
      'The clock jumped by more than a day, so erasure, expiry, suspension and other work that depends on dates is paused. Ask the operator to set it by NTP. If it is right, the work resumes after a day. The command npm run check says how to resume it immediately.',
    clockApart:
      'The server and the database are more than 2 seconds apart. Ask the operator to set both clocks by NTP.',
    accessLogStopped:
      'The access log cannot be written, so every request for personal data is refused. Ask the operator to check the database and the free disk space.',
    accessLogUnsigned:
      'The access log cannot be signed, so that changes to it may go unnoticed. Ask the operator to check permissions and free space of DATA_DIR.',
    databaseSettings:
      'Settings of the database have to change. The command npm run check lists them. Ask the operator to change them.',
    storageAway:
      'The storage of attached files is unavailable: files can be neither uploaded nor downloaded. Ask the operator to check its connection and permissions.',
    sweepStopped:
      'The files of the storage do not fit this database, so they are not cleaned up. The command npm run check says why and what to do. Ask the operator to run it.',
    scannerFails:
      'The virus scanner failed, so the last attached file was not scanned. Ask the operator to check the program in SCAN_COMMAND.',
    trailUnguarded:
      'The user of the database could change the audit trail. Ask whoever runs the server to set DATABASE_OWNER_URL.',
    accessLogTampered:
      'The access log is not as it was signed, its signatures are gone, or rows were added to a past month. Ask the operator to run npm run check -- log.',
    accessLogNotCopied:
      'The signatures of the access log cannot be copied to the second place. Ask the operator to check ACCESS_LOG_COPY_URL.',
    storageLow: 'Less than 5 GB are left for attached files. Add room, or remove files that nobody needs.',
    filesMissing:
      'Files of notices are gone from the storage. Bring them back from a backup, or ask the authors to attach them again.',
    mailNone:
      'No mail server is set, so nobody receives codes or notifications. Ask whoever runs the server to set SMTP_URL.',
    mailAway:
      'The mail server cannot be reached. Waiting mails leave as soon as it can. A test mail from the portal settings says why.',
    mailsLate: 'A mail has waited for more than 15 minutes. A test mail from the portal settings says why.',
    mailRefused: 'The mail server refused some mails. Check the addresses, and the sender (MAIL_FROM).',
    jobFails: 'Some automatic work failed. It is tried again by itself; the log of the server says why.',
    jobStands:
      'Some automatic work has not finished for long. Look at the log of the server and start it again.',
    jobPaused:
      'Some automatic work is paused because the clock is wrong or the disk is full. It resumes by itself afterwards.',
    backupNone:
      'Maru takes no backups by itself. Unless they are taken in another way, ask whoever runs the server to set BACKUP_DIR.',
    backupFailed:
      'The last backup failed. It is tried again every 15 minutes. Tell the operator the reason below.',
    backupLate:
      'A scheduled backup was not finished in time. Check room and rights of the backup folder. It is tried again every 15 minutes.',
    backupTestFailed:
      'The last test restore failed: the backup may not bring your data back. Tell whoever runs the server.',
    backupIncomplete: 'The last backup lacks files that are gone from the storage. Check the storage.',
    certificateEnds: 'A certificate ends within three weeks. Ask whoever runs that server to renew it.',
    certificateEnded:
      'A certificate has ended, and the server behind it is not reached until it is renewed. Tell whoever runs it now.',
    diskLow: 'Less than 1 GB is left on the disk. When it is full nothing can be saved: free some room now.',
    diskFull: 'The disk of the server is full, so every request that saves is refused. Free some space now.',
  },
}
