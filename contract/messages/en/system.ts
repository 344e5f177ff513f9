import type { SystemJob } from '../../settings.ts'
import type { SystemTexts } from '../ko/system.ts'

/** `ko/system.ts` in English. */
export const system: SystemTexts = {
  lead: 'The status as seen by the server that sent this page.',
  loading: 'Loading the system status.',
  failed: 'The system status could not be loaded.',
  reload: 'Refresh',
  allGood: 'Everything is working.',
  someWrong: (count) => (count === 1 ? '1 item needs attention.' : `${count} items need attention.`),
  states: { good: 'Good', attention: 'Needs attention', bad: 'Action required' },
  unset: 'Not set',
  none: 'Not yet',
  parts: {
    version: 'Version',
    clock: 'Clock',
    database: 'Database',
    storage: 'Attached files',
    mail: 'Mail',
    jobs: 'Scheduled jobs',
    backups: 'Backups',
    certificates: 'Certificates',
    logExport: 'Log export',
    disk: 'Disk of the server',
  },
  facts: {
    version: 'Maru',
    nodeVersion: 'Node.js',
    startedAt: 'Started',
    serverTime: 'Time of the server',
    databaseTime: 'Time of the database',
    clockTrustedAt: 'Last correct at',
    clockDoubtedSince: 'Scheduled jobs paused at',
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
    backupFailure: 'Reason for the failure',
    backupNextAt: 'Next backup',
    backupTestedAt: 'Last restore test',
    backupCheckedAt: 'Checksums last verified (encrypted backup, not restored)',
    backupTestFailure: 'Reason for the failed restore test',
    certificateMail: 'Mail server, valid until',
    certificateStorage: 'Storage, valid until',
    certificateDatabase: 'Database, valid until',
    certificateSyslog: 'Syslog server, valid until',
    syslogServer: 'Syslog server',
    syslogWaits: 'Not sent by syslog for (seconds)',
    exportFolder: 'Location of the files',
    exportWaits: 'Not written to a file for (seconds)',
    dataFolder: 'Where',
    totalBytes: 'Size',
  },
  databaseKinds: { own: 'Embedded database of Maru', given: 'Separate database server' },
  jobs: {
    mail: 'Sending mails',
    settings: 'Applying settings',
    servers: 'Checking running servers',
    sessions: 'Ending expired logins',
    accounts: 'Validity of accounts (daily at 8)',
    events: 'Delivering webhooks',
    'token-ends': 'Notifying of expiring tokens',
    'notification-mails': 'Sending notification mails',
    'daily-notification-mails': 'Sending daily notification mails (at 8)',
    'access-log': 'Signing the access log',
    'access-log-copies': 'Copying signatures of the access log',
    'access-log-months': 'Archiving the access log',
    'log-export-syslog': 'Sending the logs by syslog',
    'log-export-files': 'Writing the logs to files',
    rows: 'Removing old records',
    erasures: 'Erasing expired data',
    counts: 'Adding up counts',
    'key-secrets': 'Counting keys of previous secrets',
    files: 'Checking attached files',
    certificates: 'Checking certificates',
    backup: 'Backups',
    journal: 'Archiving the change log (WAL)',
  } satisfies Record<SystemJob, string>,
  noCertificates: 'No mail server, storage or database is reached by TLS, or none has been checked yet.',
  problems: {
    clockDoubted:
      'The clock jumped by more than a day, so erasure, expiry, suspension and other date-dependent jobs are paused. Ask the operator to set it by NTP. If it is correct, the jobs resume after a day. The command maru check shows how to resume them immediately.',
    clockApart:
      'The clocks of the server and the database differ by more than 2 seconds. Ask the operator to set both clocks by NTP.',
    accessLogStopped:
      'The access log cannot be written, so every request for personal data is refused. Ask the operator to check the database and the free disk space.',
    accessLogUnsigned:
      'The access log cannot be signed, so tampering may go unnoticed. Ask the operator to check permissions and free space of DATA_DIR.',
    databaseSettings:
      'Database settings must be changed. The command maru check lists them. Ask the operator to change them.',
    storageAway:
      'The storage of attached files is unavailable: files can be neither uploaded nor downloaded. Ask the operator to check its connection and permissions.',
    sweepStopped:
      'The files of the storage do not fit this database, so they are not cleaned up. The command maru check shows the reason and the solution. Ask the operator to run it.',
    scannerFails:
      'The virus scanner failed, so the last attached file was not scanned. Ask the operator to check the program in SCAN_COMMAND.',
    trailUnguarded:
      'The user of the database could change the audit log. Ask the server operator to set DATABASE_OWNER_URL.',
    accessLogTampered:
      'The access log does not match its signatures, its signatures are missing, or rows were added to a past month. Ask the operator to run maru check log.',
    accessLogNotCopied:
      'The signatures of the access log cannot be copied to the second location. Ask the operator to check ACCESS_LOG_COPY_URL.',
    storageLow:
      'Less than 5 GB is left for attached files. Add space, or delete files that are no longer needed.',
    filesMissing:
      'Files of notices are missing from the storage. Restore them from a backup, or ask the authors to attach them again.',
    mailNone:
      'No mail server is set, so no codes or notifications are sent. Save a mail server in the portal settings, or set SMTP_URL.',
    mailAway:
      'The mail server cannot be reached. Waiting mails are sent as soon as it is available. Send a test mail in the portal settings to see the reason.',
    mailsLate:
      'A mail has been waiting for more than 15 minutes. Send a test mail in the portal settings to see the reason.',
    mailRefused: 'The mail server refused some mails. Check the addresses, and the sender.',
    jobFails: 'A scheduled job failed. It is retried automatically. The server log contains the reason.',
    jobStands:
      'A scheduled job has been running for a long time. Check the server log and restart the server.',
    jobPaused:
      'A scheduled job is paused because the clock is wrong or the disk is full. It resumes automatically once that is fixed.',
    backupNone:
      'Maru does not create backups automatically. Unless you back up in another way, ask the server operator to set BACKUP_DIR.',
    backupFailed:
      'The last backup failed. It is retried every 15 minutes. Tell the operator the reason below.',
    backupLate:
      'A scheduled backup was not finished in time. Check the free space and permissions of the backup folder. It is retried every 15 minutes.',
    backupTestFailed: 'The last restore test failed: the backup may be unusable. Tell the server operator.',
    backupIncomplete: 'The last backup lacks files that are missing from the storage. Check the storage.',
    certificateEnds: 'A certificate expires within three weeks. Ask the operator of that server to renew it.',
    certificateEnded:
      'A certificate has expired, and its server cannot be reached until it is renewed. Tell the operator of that server now.',
    logExportLate:
      'Rows of the logs have not been exported for more than 15 minutes. None is lost. Ask the operator to check the syslog server, its certificate and LOG_SYSLOG_URL, or the space in DATA_DIR.',
    diskLow:
      'Less than 1 GB is left on the disk. When it is full, nothing can be saved. Free some space now.',
    diskFull: 'The disk of the server is full, so every request that saves is refused. Free some space now.',
  },
}
