import type { fileImport } from '../../contract/messages/ko/file-import.ts'

/** What every import says, and what each says in its own words. */
export type ImportWords = typeof fileImport & {
  /** Where a file is dropped: how large it may be. */
  drop: string
  tooManyRows: string
  /** The name of the file of errors. */
  errorsName: string
}
