/** Advisory locks of PostgreSQL: any numbers, the same in every Maru, each for one thing. */
export const LOCK = {
  fileSweep: 7_120_416,
  demo: 7_120_417,
  firstAdmin: 7_120_419,
} as const
