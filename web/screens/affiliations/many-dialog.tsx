import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import {
  type AffiliationColumn,
  AFFILIATIONS_AT_ONCE,
  checkAffiliations,
  createAffiliations,
} from '../../../contract/affiliations.ts'
import type { InputOf, OutputOf } from '../../../contract/endpoint.ts'
import { lineOrEmpty } from '../../../contract/fields.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { useCloseGuard } from '../../forms/use-leave-guard.ts'
import { usePortalMessages, createTexts } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { PagedTable } from '../../lists/paged-table.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import { UploadIcon } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { readCells, UnfitFile } from '../../imports/read-file.ts'
import { splitRows } from '../../imports/split-rows.ts'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { type Affiliation, refreshAffiliations } from './lists.ts'
import { asLines, type ManyRows, readLines } from './many-lines.ts'
import { NO_PLACE, TypeAndPlaceFields, typeAndPlace } from './partner-fields.tsx'
import layout from '../../ui/layout.module.css'
import styles from './affiliations.module.css'
import { affiliationImport as en } from '../../../contract/messages/en/affiliation-import.ts'
import { affiliationImport as ko } from '../../../contract/messages/ko/affiliation-import.ts'
import { showToast } from '../../ui/toasts.ts'

/** Returns the texts of this dialog in the current language. */
const useManyTexts = createTexts({ ko, en })

/** Largest file, in bytes. */
const MAX_BYTES = 1024 * 1024
/** Rows per page of the preview. */
const PER_PAGE = 8

/** Schema of the form. Province and district are for lines that name none, so they may be empty here. */
const typed = z.strictObject({
  lines: z.string().check(z.refine((text) => text.trim() !== '', 'required')),
  partnerType: typeAndPlace.partnerType,
  provinceName: lineOrEmpty(40),
  districtName: lineOrEmpty(40),
})

/** Checked lines, with the result of the check. */
interface Checked extends Pick<ManyRows, 'lines' | 'unknown'> {
  input: InputOf<typeof createAffiliations>
  /** Lines that the user left out because of their errors. */
  left: readonly string[]
  result: OutputOf<typeof checkAffiliations>
}

interface ManyProps {
  /** The existing affiliations. */
  present: readonly Affiliation[]
  onClose: () => void
}

/**
 * Shows a dialog that adds several affiliations, typed, pasted or from a CSV or XLSX file
 * (rules/affiliations#several-at-once). It reads the lines, checks them (`checkAffiliations`) and shows the preview,
 * whose button adds all of them (`createAffiliations`). Refuses files above MAX_BYTES, and more than
 * AFFILIATIONS_AT_ONCE lines. The user can leave out lines with errors. IMPORT_INVALID on saving shows a new preview.
 */
export function ManyDialog({ present, onClose }: ManyProps) {
  const { validation } = usePortalMessages()
  const t = useManyTexts()
  const check = useCall(checkAffiliations)
  const write = useCall(createAffiliations)
  const form = useSchemaForm(typed, { lines: '', ...NO_PLACE })
  const [checked, setChecked] = useState<Checked>()
  const closePreview = useCloseGuard(form.formState.isDirty, onClose, write.isPending)
  const picker = useRef<HTMLInputElement>(null)

  async function open(file: File): Promise<void> {
    if (file.size > MAX_BYTES) return void dialogs.alert({ message: t.tooLarge })
    try {
      const cells = await readCells(new Uint8Array(await file.arrayBuffer()))
      form.setValue('lines', asLines(cells), { shouldDirty: true, shouldValidate: true })
      form.setFocus('lines')
    } catch (error) {
      const isUnpacked = error instanceof UnfitFile && error.reason === 'unpacked'
      await dialogs.alert({ message: isUnpacked ? t.unpacked : t.unreadable })
    }
  }

  async function examine({ lines: text, ...common }: z.output<typeof typed>): Promise<void> {
    const names = present.flatMap(({ name, nameEn }) => [name, nameEn])
    const { rows, lines, unknown } = await readLines(text, names)
    if (rows.length === 0) return void dialogs.alert({ message: t.noRows })
    if (rows.length > AFFILIATIONS_AT_ONCE)
      return void dialogs.alert({ message: t.tooMany(AFFILIATIONS_AT_ONCE) })
    const lacking = (['provinceName', 'districtName'] as const).filter((field) => common[field] === '')
    if (lacking[0] !== undefined && rows.some((row) => !row.provinceName && !row.districtName)) {
      for (const field of lacking) form.setError(field, { type: 'lacking', message: validation.required })
      return form.setFocus(lacking[0])
    }
    try {
      const input = { rows, ...common }
      setChecked({ input, lines, unknown, left: [], result: await check.mutateAsync(input) })
    } catch (error) {
      await showRefusalOnField(error, form, {})
    }
  }

  /** Checks the rows without errors alone. The preview names the others. */
  async function keepGood({ input, lines, result: { errors }, unknown }: Checked): Promise<void> {
    const kept = { ...input, rows: splitRows(input.rows, errors).good }
    const left = splitRows(
      input.rows.map(({ name = '' }, index) => t.leftLine(lines[index] ?? 0, name)),
      errors,
    ).wrong
    try {
      const result = await check.mutateAsync(kept)
      setChecked({ input: kept, lines: splitRows(lines, errors).good, left, unknown, result })
    } catch (error) {
      await showRefusal(error)
    }
  }

  async function submit(agreed: Checked): Promise<void> {
    const { input } = agreed
    try {
      const { rowCount } = await write.mutateAsync(input)
      await refreshAffiliations()
      showToast(t.done(rowCount))
      onClose()
    } catch (error) {
      await showRefusal(error)
      // Another user took a name in the meantime. The new dry run shows which.
      if (!(error instanceof CallError) || error.code !== 'IMPORT_INVALID') return
      const result = await check.mutateAsync(input).catch(() => undefined)
      if (result) setChecked({ ...agreed, result })
    }
  }

  if (checked !== undefined) {
    return (
      <Preview
        // Without the wrong lines it is another dialog, which sets its own first focus.
        key={checked.left.length}
        checked={checked}
        isPending={write.isPending || check.isPending}
        onKeep={() => void keepGood(checked)}
        onBack={() => setChecked(undefined)}
        onSubmit={() => void submit(checked)}
        onClose={closePreview}
      />
    )
  }
  return (
    <FormDialog
      title={t.title}
      about=""
      form={form}
      onSubmit={examine}
      onClose={onClose}
      submitLabel={t.check}
      isWide
    >
      <p className={layout.lead}>{t.lead}</p>
      <FormGrid columns={1} labels="top">
        <BoundArea name="lines" label={t.lines} rows={7} placeholder={t.linesHint} isRequired />
      </FormGrid>
      <div className={styles.file}>
        <Button size="small" onClick={() => picker.current?.click()}>
          <UploadIcon size={16} />
          {t.file}
        </Button>
        <span className={layout.hint}>{t.fileHint}</span>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t.file}
          accept=".csv,.xlsx,text/csv"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file !== undefined) void open(file)
          }}
        />
      </div>
      <p className={layout.lead}>{t.place}</p>
      <FormGrid columns={3} labels="top">
        <TypeAndPlaceFields placeHint={t.placeHint} />
      </FormGrid>
    </FormDialog>
  )
}

interface PreviewProps {
  checked: Checked
  isPending: boolean
  /** Called when the user keeps only the rows without errors. */
  onKeep: () => void
  onBack: () => void
  onSubmit: () => void
  onClose: () => void
}

/**
 * Shows what would be added, with a button that adds it, or the errors by line, with a button that keeps the other
 * lines. Also names left-out lines and headings that are no column.
 */
function Preview({ checked, isPending, onKeep, onBack, onSubmit, onClose }: PreviewProps) {
  const { forms } = usePortalMessages()
  const t = useManyTexts()
  const { input, result, unknown, left } = checked
  const { errors, preview } = result
  const isGood = errors.length === 0
  return (
    <Dialog
      title={t.title}
      width="wide"
      closeLabel={forms.close}
      onClose={onClose}
      footer={
        <>
          <Button data-first-focus={!isGood || undefined} onClick={onBack}>
            {t.back}
          </Button>
          {!isGood && preview.length > 0 && (
            <Button variant="primary" isPending={isPending} onClick={onKeep}>
              {t.keepGood(preview.length)}
            </Button>
          )}
          {isGood && (
            <Button key="submit" variant="primary" data-first-focus isPending={isPending} onClick={onSubmit}>
              {t.submit(input.rows.length)}
            </Button>
          )}
        </>
      }
    >
      <output className={isGood ? layout.lead : styles.wrong}>
        {isGood ? t.ready(input.rows.length) : t.wrong(errors.length)}
      </output>
      <div className={layout.stack}>
        {left.length > 0 && <p className={layout.quiet}>{t.left(left.join(', '))}</p>}
        {unknown.length > 0 && <p className={layout.quiet}>{t.unknownColumns(unknown.join(', '))}</p>}
        {isGood ? <NewRows {...result} /> : <Problems {...checked} />}
      </div>
    </Dialog>
  )
}

/** Shows a name, indented by its depth in the tree. */
const showName = ({ name, depth }: Checked['result']['preview'][number]) => (
  <span className={styles.branch} data-depth={depth}>
    {name}
  </span>
)

/** Shows the affiliations that would be added as a paged table, indented by their depth. */
function NewRows({ preview }: Checked['result']) {
  const { empty } = useAffiliationTexts()
  const t = useManyTexts()
  const { text, column } = columnsOf<(typeof preview)[number], AffiliationColumn>(t.columns)
  return (
    <PagedTable
      label={t.preview}
      columns={[
        column('name', showName),
        text('parentName'),
        text('nameEn'),
        column('partnerCode', ({ partnerCode }) => partnerCode || t.drawn),
        text('provinceName'),
        text('districtName'),
      ]}
      rows={preview}
      getRowKey={({ name }) => name}
      perPage={PER_PAGE}
      empty={empty}
    />
  )
}

/** Shows the errors as a paged table: line, column, value and message. */
function Problems({ input, lines, result: { errors } }: Checked) {
  const { empty } = useAffiliationTexts()
  const t = useManyTexts()
  const { text, column } = columnsOf<(typeof errors)[number], keyof typeof t.problemColumns>(t.problemColumns)
  return (
    <PagedTable
      label={t.problems}
      columns={[
        column('line', ({ row }) => lines[row - 1], { width: 72, align: 'center' }),
        column('field', ({ field }) => t.columns[field], { width: 120 }),
        column('value', ({ row, field }) => input.rows[row - 1]?.[field] ?? '', { width: 180 }),
        // A message may name several regions.
        text('message', { wraps: 'words' }),
      ]}
      rows={errors}
      getRowKey={({ row, field }) => `${row} ${field}`}
      perPage={PER_PAGE}
      empty={empty}
    />
  )
}
