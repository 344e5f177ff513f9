import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useRef, useState } from 'react'
import { FormProvider, useController, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { line } from '../../../contract/fields.ts'
import { EXPORT_FORMATS, exportUsers, USER_SORTS } from '../../../contract/users.ts'
import { callForFile } from '../../api/client.ts'
import { saveContent } from '../../api/save-content.ts'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { tellRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { type ListState, wireSort } from '../../lists/list-state.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormGrid.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import styles from './export-dialog.module.css'
import { type UserFilters, wireFilters } from './search-state.ts'

const typed = z
  .strictObject({
    FORMAT: z.enum(EXPORT_FORMATS, 'codeFormat'),
    REASON: line(200),
    IS_UNMASKED: z.boolean(),
    PASSWORD: z.string(),
  })
  .check(
    // What is shown by the password alone needs it.
    z.refine((values) => !values.IS_UNMASKED || values.PASSWORD !== '', {
      error: 'required',
      path: ['PASSWORD'],
    }),
  )

type Values = z.input<typeof typed>

interface Props {
  /** What is exported: the list as it is shown, from its first page to its last. */
  list: ListState<UserFilters>
  total: number
  onClose: () => void
}

/** Exports what the search found (issue 4): format, reason, and whether it is masked. */
export function ExportDialog({ list, total, onClose }: Props) {
  const messages = usePortalMessages()
  const t = messages.users.export
  const form = useForm<Values>({
    defaultValues: { FORMAT: 'xlsx', REASON: '', IS_UNMASKED: false, PASSWORD: '' },
    resolver: standardSchemaResolver(typed),
  })
  const { received, run, stop } = useExport()
  const isRunning = received !== null

  async function submit({ FORMAT, REASON, IS_UNMASKED, PASSWORD }: Values): Promise<void> {
    try {
      const isDone = await run({
        ...wireFilters(list.filters),
        ...wireSort(list.sort, USER_SORTS),
        FORMAT,
        REASON,
        ...(IS_UNMASKED && { PASSWORD }),
      })
      if (isDone) onClose()
    } catch (error) {
      await tellRefusalOnField(error, form, { PASSWORD_WRONG: 'PASSWORD', LOGIN_LOCKED: 'PASSWORD' })
    }
  }

  return (
    <Dialog title={t.title} width="wide" closeLabel={t.close} onClose={onClose} isDismissable={!isRunning}>
      <p className={styles.lead}>{t.lead(total.toLocaleString())}</p>
      <FormProvider {...form}>
        <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
          <BoundSelect<Values>
            name="FORMAT"
            label={t.format}
            options={EXPORT_FORMATS.map((value) => ({ value, label: t.formats[value] }))}
            placeholder=""
            emptyLabel=""
          />
          <BoundText<Values>
            name="REASON"
            label={t.reason}
            placeholder={t.reasonHint}
            maxLength={200}
            autoComplete="off"
            isRequired
          />
          <Unmasking />
          {isRunning && (
            <div className={styles.progress}>
              <ProgressBar label={t.title} percent={undefined} />
              <output>{t.progress(megabytes(received))}</output>
            </div>
          )}
          <FormActions>
            <Button onClick={isRunning ? stop : onClose}>{isRunning ? t.stop : t.cancel}</Button>
            <Button type="submit" variant="primary" isPending={isRunning}>
              {t.start}
            </Button>
          </FormActions>
        </form>
      </FormProvider>
    </Dialog>
  )
}

/** Whether phone numbers and e-mails come whole, which asks for the own password. */
function Unmasking() {
  const { users, account } = usePortalMessages()
  const t = users.export
  const { field } = useController<Values, 'IS_UNMASKED'>({ name: 'IS_UNMASKED' })
  return (
    <div className={styles.unmasking}>
      <Checkbox label={t.unmask} value={field.value} onChange={field.onChange} name={field.name} />
      {field.value ? (
        <BoundText<Values>
          name="PASSWORD"
          label={t.password}
          type="password"
          autoComplete="current-password"
          reveal={{ show: account.showPassword, hide: account.hidePassword }}
          isRequired
        />
      ) : (
        <p className={styles.hint}>{t.masked}</p>
      )}
    </div>
  )
}

/** The export under way: bytes that have come (null: none is), and how to stop it, which closing does too. */
function useExport() {
  const [received, setReceived] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  const { fileName } = usePortalMessages().users.export
  useEffect(() => () => running.current?.abort(), [])

  /** @returns false when it was stopped */
  async function run(input: Parameters<typeof callForFile<typeof exportUsers>>[1]): Promise<boolean> {
    const stopping = new AbortController()
    running.current = stopping
    setReceived(0)
    try {
      const content = await callForFile(exportUsers, input, {
        signal: stopping.signal,
        onProgress: (bytes) => setReceived(bytes),
      })
      saveContent(content, `${fileName}_${seoulDay()}.${input.FORMAT}`)
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

/** Today in Korea, as the server names the file too. */
function seoulDay(): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul' }).format(new Date())
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
