/**
 * Numbers of PostgreSQL's advisory locks, for `withAdvisoryLock`. They are arbitrary, identical on every server, and each has one
 * purpose.
 */
export const LOCK = {
  fileSweep: 7_120_416,
  demo: 7_120_417,
  firstAdmin: 7_120_419,
  uploadRoom: 7_120_420,
  backup: 7_120_421,
  journal: 7_120_422,
  servers: 7_120_423,
  notificationMails: 7_120_424,
  syslogExport: 7_120_427,
  fileExport: 7_120_428,
  /** Lock of archiving the access log. The function access_log_open uses 7_120_426. */
  accessLog: 7_120_425,
} as const
