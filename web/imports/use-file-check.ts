import { useState } from 'react'
import { CallError } from '../api/call-error.ts'
import { showRefusal } from '../api/show-refusal.ts'
import { useOpenInput } from '../unsaved-input.ts'
import { dialogs } from '../ui/dialogs.ts'
import { type ImportFile, UnfitFile } from './read-file.ts'
import type { ImportWords } from './import-parts.tsx'

/** A file that was read, with the result of its dry run. */
export interface CheckedFile<Column extends string, Result> extends ImportFile<Column> {
  result: Result
}

/** The steps of an import, and its texts. */
interface Steps<Column extends string, Result> {
  /** Reads a file. Returns null if the user cancels. */
  read: (file: File) => Promise<ImportFile<Column> | null>
  /** Makes the dry run. */
  check: (rows: ImportFile<Column>['rows']) => Promise<Result>
  words: ImportWords
  headings: Readonly<Record<Column, string>>
}

/**
 * Returns the checked file of an import, and functions that read a file and check it by a dry run on the server. A
 * failure is shown in an alert. A new file discards the checked one, also if it fails or the user cancels. While a
 * file is read or checked, the page counts as having unsaved input.
 */
export function useFileCheck<Column extends string, Result>(steps: Steps<Column, Result>) {
  const { read, check, words, headings } = steps
  const [isReading, setReading] = useState(false)
  const [checked, setChecked] = useState<CheckedFile<Column, Result> | null>(null)
  useOpenInput(isReading || checked !== null)

  /**
   * Opens a file and checks it. Shows a failure in an alert.
   * @param kept the checked file to keep if the check fails
   * @returns whether the check succeeded
   */
  async function examine(
    open: () => Promise<ImportFile<Column> | null>,
    kept: typeof checked = null,
  ): Promise<boolean> {
    setReading(true)
    try {
      const file = await open()
      setChecked(file && { ...file, result: await check(file.rows) })
      return file !== null
    } catch (error) {
      setChecked(kept)
      if (error instanceof UnfitFile) await dialogs.alert({ message: unfit(error) })
      else await showRefusal(error)
      return false
    } finally {
      setReading(false)
    }
  }

  /** Returns the message of a file that cannot be imported. */
  function unfit({ reason, columns }: UnfitFile): string {
    if (reason !== 'missingColumns') return words[reason]
    const named: Readonly<Record<string, string>> = headings
    return words.missingColumns(columns.map((column) => named[column] ?? column).join(', '))
  }

  /** Checks the same rows again, because missing records may exist now. @returns whether the check succeeded */
  async function again(): Promise<boolean> {
    return checked !== null && (await examine(async () => checked, checked))
  }

  /** Keeps some rows of the file and checks them alone. @returns whether the check succeeded */
  async function keep(rows: ImportFile<Column>['rows']): Promise<boolean> {
    return checked !== null && (await examine(async () => ({ ...checked, rows }), checked))
  }

  return {
    checked,
    isReading,
    async open(file: File): Promise<void> {
      await examine(() => read(file))
    },
    again,
    keep,
    /** Discards the checked file, after all of it is registered. */
    clear: () => setChecked(null),
    /**
     * Shows in an alert why nothing was registered. Repeats the dry run if rows have become invalid in the meantime.
     * @throws any error that is not a CallError
     */
    async refused(error: unknown): Promise<void> {
      await showRefusal(error)
      if (error instanceof CallError && error.code === 'IMPORT_INVALID') await again()
    },
  }
}
