import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { CallError } from '../../api/call-error.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import type { RequestRow } from './request-columns.tsx'
import layout from '../../ui/layout.module.css'
import styles from './approvals.module.css'

/** Input and callbacks of a decision dialog. */
export interface DecisionProps {
  /** The requests for which the dialog was opened. Changes of the list do not affect them. */
  requests: readonly RequestRow[]
  onDone: (message: string) => void
  /** Called after the dialog has shown a refusal that means that the requests are out of date. */
  onStale: () => void
  onClose: () => void
}

interface Props<Values extends FieldValues, Checked extends FieldValues> extends DecisionProps {
  title: string
  lead: string
  submitLabel: string
  isDanger?: boolean
  form: UseFormReturn<Values, unknown, Checked>
  /** Makes the call. @returns the success message */
  decide: (values: Checked & { requests: string[] }) => Promise<string>
  children: ReactNode
}

/** Asks for the input of a decision about the selected requests, and makes the call. */
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

/** Returns whether a refusal means that the list is out of date. Nothing was changed then. */
function isStale(error: unknown): boolean {
  return error instanceof CallError && ['REQUEST_DECIDED', 'REQUEST_NOT_FOUND'].includes(error.code)
}

/** Shows the first affected user by name and the number of the others. The tooltip lists all. */
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
