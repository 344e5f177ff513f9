/**
 * Which rows of a table a backup and a restored database keep, as a condition; of the others all. Who holds a backup must not hold
 * sessions, nor codes in mails; what was not sent or uploaded to its end then, was since, or is given up; and what a running server
 * knows of itself, of its clock and of its storage is not true of the database that is brought back.
 */
export const KEPT: Readonly<Record<string, string>> = {
  sessions: 'false',
  // Their holders could use them without a login. A link that was replaced after the backup would be valid again.
  file_links: 'false',
  account_links: 'false',
  login_tickets: 'false',
  certifications: 'false',
  passkey_enrolments: 'false',
  mails: 'false',
  rate_limits: 'false',
  // A restored database has to ask whether the storage is its own (ADR 099).
  storage_mark: 'false',
  servers: 'false',
  // Or the clock would be doubted for a day (ADR 110).
  heartbeat: 'false',
  // Where it is brought back they are not.
  backup_runs: 'false',
  uploads: 'finished_at is not null',
}
