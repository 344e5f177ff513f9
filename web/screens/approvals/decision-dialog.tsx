import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { CallError } from '../../api/call-error.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import type { RequestRow } from './request-columns.tsx'
import layout from '../../ui/layout.module.css'
import styles from './approvals.module.css'

/** What a decision's dialog tells the page. */
export interface DecisionProps {
  /** Those that the dialog was opened for: they stay, whatever the list behind it does. */
  requests: readonly RequestRow[]
  onDone: (message: string) => void
  /** The refusal is told: what the dialog was about is no longer so. */
  onStale: () => void
  onClose: () => void
}

interface Props<Values extends FieldValues, Checked extends FieldValues> extends DecisionProps {
  title: string
  lead: string
  submitLabel: string
  isDanger?: boolean
  form: UseFormReturn<Values, unknown, Checked>
  /** Makes the call. @returns the message that it is done */
  decide: (values: Checked & { requests: string[] }) => Promise<string>
  children: ReactNode
}

/** Asks for what a decision about the chosen requests needs, and makes it. */
export function DecisionDialog<Values extends FieldValues, Checked extends FieldValues>(
  props: Props<Values, Checked>,
) {
  const { requests, onDone, onStale, lead, form, decide, children, ...dialog } = props

  async function submit(values: Checked): Promise<void> {
    try {
      onDone(await decide({ ...values, requests: requests.map(({ requestId }) => requestId) }))
    } catch (error) {
      await showRefusalOnField(error, form, {})
      if (isStale(error)) onStale()
    }
  }

  return (
    <FormDialog
      {...dialog}
      about={requests.map(({ requestId }) => requestId).join(' ')}
      isWide
      form={form}
      onSubmit={submit}
    >
      <p className={layout.lead}>{lead}</p>
      <ChosenPeople requests={requests} />
      {children}
    </FormDialog>
  )
}

/** The refusals after which the list has to be looked at again: nothing was changed. */
function isStale(error: unknown): boolean {
  return error instanceof CallError && ['REQUEST_DECIDED', 'REQUEST_NOT_FOUND'].includes(error.code)
}

/** Whom a decision is about: the first by name, and how many others; all of them in the tooltip. */
function ChosenPeople({ requests }: { requests: readonly RequestRow[] }) {
  const t = usePortalMessages().approvals
  const names = requests.map(({ name, userId }) => `${name} (${userId})`)
  return (
    <dl className={styles.people}>
      <dt>{t.chosen}</dt>
      <dd title={names.join('\n')}>{t.people(names[0] ?? '', names.length - 1)}</dd>
    </dl>
  )
}
