import { useEffect, useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import * as z from 'zod/mini'
import { EXPORT_FORMATS, exportFields, type ExportFormat } from '../../contract/list-export.ts'
import type { Messages } from '../../contract/messages/ko.ts'
import type { ReceiveOptions } from '../api/call-for-file.ts'
import { saveContent } from '../api/download.ts'
import { BoundPassword } from '../forms/bound-password.tsx'
import { BoundSelect } from '../forms/bound-fields.tsx'
import { BoundText } from '../forms/bound-text.tsx'
import { fixedChoices } from '../forms/choices.ts'
import { Form, useSchemaForm } from '../forms/form.tsx'
import { showRefusalOnField } from '../forms/show-refusal-on-field.ts'
import { useCloseGuard } from '../forms/use-leave-guard.ts'
import { today } from '../forms/today.ts'
import { useExportTexts } from './export-texts.ts'
import { usePortalMessages } from '../language.tsx'
import { hasCachedFunction } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/lazy-dialog.tsx'
import { FormActions } from '../ui/form-grid.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import layout from '../ui/layout.module.css'
import styles from './export-dialog.module.css'

/** Input of an export in addition to the filters and columns of the list: the fields of its dialog. */
interface ExportAsked {
  format: ExportFormat
  reason: string
  /** Only sent if data is masked and the user asks for it unmasked. */
  password?: string
}

/** A list that can be exported, in a file with the columns `C`. */
export interface ExportedList<C extends string = string> {
  /** Name of its texts in the messages. */
  name: keyof Messages['exports']['lists']
  /** Number of rows of the export. */
  total: number
  /** The columns that the file can have; undefined if users choose no columns of the list. */
  exported?: readonly C[]
  /** The columns that the list shows, in order. */
  columns?: readonly { key: string }[]
  /** The columns of the file for those of the list that have another name in it. */
  parts?: Record<string, readonly C[]>
  /** Calls the export with the current filters and order, and resolves to the file. Without `columns` it has all. */
  receive: (asked: ExportAsked & { columns?: C[] }, options: ReceiveOptions) => Promise<Blob>
}

/** Schema of the dialog. Unmasked data requires a password. */
const typed = z
  .strictObject({
    ...exportFields,
    columns: z.enum(['shown', 'all']),
    isUnmasked: z.boolean(),
    password: z.string(),
  })
  .check(
    z.refine((values) => !values.isUnmasked || values.password !== '', {
      error: 'required',
      path: ['password'],
    }),
  )

/** Input of the dialog. */
type Values = z.input<typeof typed>

/**
 * Shows the dialog that exports all results of a search as a file (design/lists-and-counts#export). Asks for the
 * format, the reason and, where users choose columns, for those shown or all. Users with `autho_export_personal`
 * may also ask for unmasked personal data with their password. While the export runs, shows the received bytes and
 * a button that stops it.
 */
export function ExportDialog<C extends string>(props: ExportedList<C> & { onClose: () => void }) {
  const { name, total, exported = [], columns: onScreen = [], parts = {}, receive, onClose } = props
  const shown = onScreen.flatMap(({ key }) => parts[key] ?? exported.filter((column) => column === key))
  const { forms } = usePortalMessages()
  const t = useExportTexts()
  const texts = t.lists[name]
  const form = useSchemaForm(
    typed,
    { format: 'xlsx', reason: '', columns: 'shown', isUnmasked: false, password: '' },
    'onSubmit',
  )
  const { received, run, stop } = useExport(texts.fileName, receive)
  const isRunning = received !== null
  const close = useCloseGuard(form.formState.isDirty, onClose)
  const mayUnmask = hasCachedFunction('autho_export_personal')

  /** Runs the export, and closes the dialog after it. Shows a refusal, a wrong password at its field. */
  async function submit({ format, reason, columns, isUnmasked, password }: Values): Promise<void> {
    try {
      const asked = { format, reason, ...(isUnmasked && { password }) }
      const isPart = exported.length > 0 && columns === 'shown'
      if (await run({ ...asked, ...(isPart && { columns: shown }) })) onClose()
    } catch (error) {
      await showRefusalOnField(error, form, { PASSWORD_WRONG: 'password', LOGIN_LOCKED: 'password' })
    }
  }

  return (
    <Dialog
      title={texts.title}
      width="wide"
      closeLabel={forms.close}
      onClose={close}
      isDismissable={!isRunning}
    >
      <p className={layout.lead}>{texts.lead(total.toLocaleString())}</p>
      <Form form={form} draft={texts.title} onSubmit={submit} className={styles.form}>
        <BoundSelect<Values>
          name="format"
          label={t.format}
          choices={fixedChoices(EXPORT_FORMATS.map((value) => ({ value, label: t.formats[value] })))}
        />
        {exported.length > 0 && (
          <BoundSelect<Values>
            name="columns"
            label={t.columns}
            choices={fixedChoices([
              { value: 'shown', label: t.shownColumns },
              { value: 'all', label: t.allColumns },
            ])}
          />
        )}
        <BoundText<Values>
          name="reason"
          label={t.reason}
          placeholder={texts.reasonHint}
          maxLength={200}
          autoComplete="off"
          isRequired
        />
        {texts.personal !== null &&
          (mayUnmask ? (
            <Unmasking texts={texts.personal} />
          ) : (
            <p className={styles.hint}>{texts.personal.masked}</p>
          ))}
        {isRunning && (
          <div className={styles.progress}>
            <ProgressBar label={texts.title} percent={undefined} />
            <output>{t.progress(megabytes(received))}</output>
          </div>
        )}
        <FormActions>
          <Button onClick={isRunning ? stop : close}>{isRunning ? t.stop : forms.cancel}</Button>
          <Button type="submit" variant="primary" isPending={isRunning}>
            {t.start}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

/**
 * Shows a checkbox for unmasked personal data; if it is checked, the password field, otherwise a hint that data is
 * masked.
 */
function Unmasking({ texts }: { texts: { unmask: string; masked: string } }) {
  const t = useExportTexts()
  const { field } = useController<Values, 'isUnmasked'>({ name: 'isUnmasked' })
  return (
    <div className={styles.unmasking}>
      <Checkbox label={texts.unmask} value={field.value} onChange={field.onChange} name={field.name} />
      {field.value ? (
        <BoundPassword<Values> name="password" label={t.password} />
      ) : (
        <p className={styles.hint}>{texts.masked}</p>
      )}
    </div>
  )
}

/**
 * Manages a running export: the received bytes (`received`, null if none is running), `run` and `stop`. Closing
 * the dialog stops it too.
 * @param fileName name of the saved file, before the date and the extension
 */
function useExport<C extends string>(fileName: string, receive: ExportedList<C>['receive']) {
  const [received, setReceived] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  /**
   * Runs the export and saves the file.
   * @returns false if the user stopped it
   * @throws if the export fails
   */
  async function run(asked: Parameters<typeof receive>[0]): Promise<boolean> {
    const stopping = new AbortController()
    running.current = stopping
    setReceived(0)
    try {
      const options = { signal: stopping.signal, onProgress: (bytes: number) => setReceived(bytes) }
      const content = await receive(asked, options)
      saveContent(content, `${fileName}_${today()}.${asked.format}`)
      return true
    } catch (error) {
      if (stopping.signal.aborted) return false
      throw error
    } finally {
      setReceived(null)
    }
  }
  return { received, run, stop: () => running.current?.abort() }
}

/** Formats a number of bytes in megabytes with one decimal, such as '1.5 MB'. */
function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
