/**
 * SQL conditions for the rows of a table that a backup and a restored database contain. Other tables are complete. Excluded are
 * credentials, which a holder of the backup could use; unsent mails and unfinished uploads, which were completed or canceled
 * since; and the state of a running server, which is wrong for a restored database.
 */
export const BACKUP_ROW_FILTERS: Readonly<Record<string, string>> = {
  sessions: 'false',
  // Their holders could use them without a login. A link that was replaced after the backup would be valid again.
  file_links: 'false',
  account_links: 'false',
  login_tickets: 'false',
  sso_states: 'false',
  trusted_devices: 'false',
  certifications: 'false',
  passkey_enrolments: 'false',
  mails: 'false',
  rate_limits: 'false',
  // A restored database must not be paired with the storage (design/uploads-and-files#pairing-of-database-and-storage).
  storage_mark: 'false',
  servers: 'false',
  // An old heartbeat would make the clock untrusted for a day (design/disk-and-clock#untrusted-clock).
  heartbeat: 'false',
  // The backups may not exist on the machine where the database is restored.
  backup_runs: 'false',
  uploads: 'finished_at is not null',
}
