/** Advisory locks of PostgreSQL: any numbers, the same in every Maru, each for one thing. */
export const LOCK = {
  fileSweep: 7_120_416,
  demo: 7_120_417,
  /** Held shared by every change of notices until it commits (migration 007), alone by the counting. */
  noticeIndex: 7_120_418,
  firstAdmin: 7_120_419,
} as const
