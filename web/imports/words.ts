import type { fileImport } from '../../contract/messages/ko/file-import.ts'

/** The texts of an import: the common ones, and those of each kind of import. */
export type ImportWords = typeof fileImport & {
  /** Hint of the drop area: the size limit of a file. */
  drop: string
  tooManyRows: string
  /** The name of the file of errors. */
  errorsName: string
}
