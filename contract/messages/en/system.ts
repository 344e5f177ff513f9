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
    processes: 'Processes',
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
    'notification-mails': 'Mails of notifications',
    'daily-notification-mails': 'Daily mails of notifications (at 8)',
    'access-log': 'Signing the access log',
    'access-log-months': 'Archiving the access log',
    rows: 'Removing old records',
    counts: 'Adding up counts',
    files: 'Checking attached files',
    certificates: 'Looking at certificates',
    backup: 'Backups',
    journal: 'Keeping the journal',
  } satisfies Record<SystemJob, string>,
  noCertificates: 'No mail server, storage or database is reached by TLS, or none has been looked at yet.',
  problems: {
    trailUnguarded:
      'The user of the database could change the audit trail. Ask whoever runs the server to set DATABASE_OWNER_URL.',
    storageLow: 'Less than 5 GB are left for attached files. Add room, or remove files that nobody needs.',
    filesMissing:
      'Files of notices are gone from the storage. Bring them back from a backup, or ask the authors to attach them again.',
    mailNone:
      'No mail server is set, so nobody receives codes or notifications. Ask whoever runs the server to set SMTP_URL.',
    mailAway:
      'The mail server cannot be reached. Waiting mails leave as soon as it can. A test mail from the portal settings says why.',
    mailRefused: 'The mail server refused some mails. Check the addresses, and the sender (MAIL_FROM).',
    jobFails: 'Some automatic work failed. It is tried again by itself; the log of the server says why.',
    jobStands:
      'Some automatic work has not finished for long. Look at the log of the server and start it again.',
    backupNone:
      'Maru takes no backups by itself. Unless they are taken in another way, ask whoever runs the server to set BACKUP_DIR.',
    backupLate:
      'A scheduled backup was not finished in time. Check room and rights of the backup folder. It is tried again every 15 minutes.',
    backupTestFailed:
      'The last test restore failed: the backup may not bring your data back. Tell whoever runs the server.',
    backupIncomplete: 'The last backup lacks files that are gone from the storage. Check the storage.',
    certificateEnds: 'A certificate ends within three weeks. Ask whoever runs that server to renew it.',
    certificateEnded:
      'A certificate has ended, and the server behind it is not reached until it is renewed. Tell whoever runs it now.',
    diskLow: 'Less than 1 GB is left on the disk. When it is full nothing can be saved: free some room now.',
  },
}
