import { useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { UploadIcon, DownloadIcon } from '../ui/icons.tsx'
import styles from './imports.module.css'
import layout from '../ui/layout.module.css'
import { DataTable, type DataTableProps } from '../ui/data-table.tsx'
import type { Choices } from '../forms/choices.ts'
import { dialogs } from '../ui/dialogs.ts'
import type { fileImport } from '../../contract/messages/ko/file-import.ts'

interface Props {
  words: ImportWords
  fileName: string | undefined
  isBusy: boolean
  onFile: (file: File) => void
}

/**
 * Shows an area into which the user drops a CSV or XLSX file, with a button to choose one. `onFile` gets every new
 * file, also the same one again. Ignores drops while `isBusy`.
 */
export function FilePlace({ words: t, fileName, isBusy, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    // Dropping is a shortcut of the button inside, which works by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes(styles.place, isOver && styles.over)}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined && !isBusy) onFile(file)
      }}
    >
      <p>{fileName ?? t.drop}</p>
      <Button isPending={isBusy} onClick={() => input.current?.click()}>
        <UploadIcon size={18} />
        {fileName === undefined ? t.choose : t.chooseAnother}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.choose}
        accept=".csv,.xlsx,text/csv"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file, corrected, is a change too.
          event.target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      <output className="visually-hidden">{isBusy && t.reading}</output>
    </div>
  )
}

/** A checked file and the result of its dry run. */
interface VerdictProps {
  words: ImportWords
  checked: {
    rows: readonly unknown[]
    examples: number
    unknown: readonly string[]
    result: { errorCount: number }
  }
}

/**
 * Shows the result of the dry run: that all rows are valid, or the number of errors. Also states how many example
 * rows and which unknown columns are skipped.
 */
export function Verdict({ words: t, checked }: VerdictProps) {
  const { rows, examples, unknown, result } = checked
  const count = rows.length.toLocaleString()
  const isGood = result.errorCount === 0
  return (
    <>
      <output className={isGood ? styles.good : styles.wrong}>
        {isGood ? t.ready(count) : t.wrong(result.errorCount.toLocaleString(), count)}
      </output>
      {examples > 0 && <p className={layout.quiet}>{t.examplesLeft(examples)}</p>}
      {unknown.length > 0 && <p className={layout.quiet}>{t.unknownColumns(unknown.join(', '))}</p>}
    </>
  )
}

interface PreviewTableProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'rows' | 'getRowKey'> {
  words: { preview: string; noPreview: string; shownOf: (shown: string, total: string) => string }
  /** Number of all rows, including those not shown. */
  total: number
}

/** Shows the first rows that an import would create or change, and their number of the total if there are more. */
export function PreviewTable<Row>({ words: t, total, ...table }: PreviewTableProps<Row>) {
  const { length } = table.rows
  return (
    <>
      <DataTable {...table} label={t.preview} state="given" rowCount={length} empty={t.noPreview} />
      {total > length && (
        <p className={layout.quiet}>{t.shownOf(length.toLocaleString(), total.toLocaleString())}</p>
      )}
    </>
  )
}

interface TemplateButtonProps {
  words: ImportWords & { templateFailed: string }
  /** The lists of options in the template. */
  lists: readonly Choices[]
  save: () => Promise<void>
}

/**
 * Shows a button that saves a template, pending until its lists have loaded. If a list could not be loaded, a
 * click loads it again and shows an alert instead.
 */
export function TemplateButton({ words: t, lists, save }: TemplateButtonProps) {
  async function start(): Promise<void> {
    const failed = lists.filter(({ isFailed }) => isFailed)
    if (failed.length === 0) return save()
    for (const { retry } of failed) retry()
    await dialogs.alert({ message: t.templateFailed })
  }

  return (
    <Button size="small" isPending={lists.some(({ isLoading }) => isLoading)} onClick={() => void start()}>
      <DownloadIcon size={16} />
      {t.template}
    </Button>
  )
}

/** The texts of an import: the common ones, and those of each kind of import. */
export type ImportWords = typeof fileImport & {
  /** Hint of the drop area, which states the size limit of a file. */
  drop: string
  tooManyRows: string
  /** The name of the file of errors. */
  errorsName: string
}
