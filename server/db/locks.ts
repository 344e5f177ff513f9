/** PostgreSQL's advisory locks: arbitrary numbers, the same on every server, each for one purpose. */
export const LOCK = {
  fileSweep: 7_120_416,
  demo: 7_120_417,
  firstAdmin: 7_120_419,
  uploadRoom: 7_120_420,
} as const
