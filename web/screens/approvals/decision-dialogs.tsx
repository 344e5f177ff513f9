import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import {
  approvalFields,
  approveAffiliationChanges,
  approveRequests,
  refusalReason,
  refuseAffiliationChanges,
  refuseRequests,
} from '../../../contract/approvals.ts'
import { datesInOrder } from '../../../contract/fields.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { CallError } from '../../api/call-error.ts'
import { callWithMessage } from '../../api/client.ts'
import { askGrantReason } from '../../forms/ask-grant-reason.tsx'
import { BoundSelect, ValidityFields } from '../../forms/bound-fields.tsx'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { withEnd } from '../../forms/open-end.ts'
import { proposedValidity } from '../../forms/proposed-validity.ts'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { PartnerSelect } from '../users/record/partner-select.tsx'
import { useRoles } from '../users/search/lists.ts'
import type { RequestRow } from './request-columns.tsx'
import layout from '../../ui/layout.module.css'
import styles from './approvals.module.css'

/** Schema of the dialog that approves requests for an account. */
const approval = z.strictObject(approvalFields).check(datesInOrder)
/** Schema of the dialog that approves changes of affiliation. */
const placing = z.strictObject({ partners: approvalFields.partners })
/** Schema of the dialog that rejects requests. */
const refusal = z.strictObject({ reason: refusalReason })

/** Input and callbacks of a decision dialog. */
interface DecisionProps {
  /** The requests for which the dialog was opened. Changes of the list do not affect them. */
  requests: readonly RequestRow[]
  /** Called with the success message after the decision. */
  onDone: (message: string) => void
  /** Called after the dialog has shown a refusal that means that the requests are out of date. */
  onStale: () => void
  onClose: () => void
}

/**
 * Shows the dialog that approves requests for an account. Asks for their validity period and role, and for one
 * partner code per affiliation; if the settings require it, then for the reason of the role.
 */
export function ApproveDialog(decision: DecisionProps) {
  const { approvals: t, fields } = usePortalMessages()
  const form = useSchemaForm(withEnd(approval), {
    ...proposedValidity(),
    roleCode: ROLE.user,
    partners: partnersToChoose(decision.requests),
  })
  return (
    <DecisionDialog
      {...decision}
      title={t.approveTitle}
      lead={t.approveLead}
      submitLabel={t.approve}
      form={form}
      decide={async (values) => {
        const reason = await askGrantReason(values.roleCode)
        if (reason === undefined) return undefined
        const { data, msg } = await callWithMessage(approveRequests, { ...values, ...reason })
        return t.approved(data.approvedCount, msg)
      }}
    >
      <FormGrid labels="top">
        <ValidityFields isRequired />
        <BoundSelect name="roleCode" label={fields.roleCode} choices={useRoles()} isRequired />
        <PartnerChoices requests={decision.requests} />
      </FormGrid>
    </DecisionDialog>
  )
}

/**
 * Shows the dialog that approves changes of affiliation. Asks for one partner code per new affiliation, with its
 * default code preselected.
 */
export function ApproveChangeDialog(decision: DecisionProps) {
  const t = usePortalMessages().approvals
  const form = useSchemaForm(placing, { partners: partnersToChoose(decision.requests) })
  return (
    <DecisionDialog
      {...decision}
      title={t.changeTitle}
      lead={t.changeLead}
      submitLabel={t.approve}
      form={form}
      decide={async (values) => {
        const { data, msg } = await callWithMessage(approveAffiliationChanges, values)
        return t.approved(data.approvedCount, msg)
      }}
    >
      <FormGrid labels="top">
        <PartnerChoices requests={decision.requests} />
      </FormGrid>
    </DecisionDialog>
  )
}

/**
 * Shows the dialog that rejects requests with a reason. Rejected applicants for an account get the reason by email
 * and lose the account. With `areChanges` the requests are changes of affiliation: the users keep account and
 * affiliation, and are notified of the reason.
 */
export function RefuseDialog({ areChanges, ...decision }: DecisionProps & { areChanges: boolean }) {
  const t = usePortalMessages().approvals
  const form = useSchemaForm(refusal, { reason: '' })
  return (
    <DecisionDialog
      {...decision}
      title={areChanges ? t.refuseChangeTitle : t.refuseTitle}
      lead={areChanges ? t.refuseChangeLead : t.refuseLead}
      submitLabel={t.refuse}
      isDanger
      form={form}
      decide={async (values) => {
        const { data, msg } = await (areChanges
          ? callWithMessage(refuseAffiliationChanges, values)
          : callWithMessage(refuseRequests, values))
        return t.refused(data.refusedCount, msg)
      }}
    >
      <FormGrid columns={1} labels="top">
        <BoundArea name="reason" label={t.reason} rows={5} isRequired />
      </FormGrid>
    </DecisionDialog>
  )
}

type Requests = DecisionProps['requests']

/** Returns the names of the affiliations that the users will have, by code; for a change the new one. */
const affiliationsOf = (requests: Requests) =>
  new Map(
    requests.map((row) => [
      row.newAffiliationCode ?? row.affiliationCode,
      row.newAffiliationName ?? row.affiliationName,
    ]),
  )

/** Returns the initial form values: each affiliation of the requests once, without a partner code. */
const partnersToChoose = (requests: Requests) =>
  [...affiliationsOf(requests).keys()].map((affiliationCode) => ({ affiliationCode, partnerCode: '' }))

/**
 * Shows a select for the partner code of each affiliation that the users will have, with its default code
 * preselected.
 */
function PartnerChoices({ requests }: { requests: Requests }) {
  const t = usePortalMessages().approvals
  return [...affiliationsOf(requests)].map(([code, name], index) => (
    <PartnerSelect
      key={code}
      name={`partners.${index}.partnerCode`}
      label={t.partnerOf(name)}
      affiliation={code}
    />
  ))
}

/** A decision dialog: its texts, its form and its call. */
interface Props<Values extends FieldValues, Checked extends FieldValues> extends DecisionProps {
  title: string
  lead: string
  submitLabel: string
  isDanger?: boolean
  form: UseFormReturn<Values, unknown, Checked>
  /** Makes the call. @returns the success message; undefined if the user cancels */
  decide: (values: Checked & { requests: string[] }) => Promise<string | undefined>
  children: ReactNode
}

/**
 * Shows a dialog with the affected users and the fields of a decision. Its button makes the call. A refusal is
 * shown; if the requests are out of date, `onStale` is called.
 */
function DecisionDialog<Values extends FieldValues, Checked extends FieldValues>(
  props: Props<Values, Checked>,
) {
  const { requests, onDone, onStale, lead, form, decide, children, ...dialog } = props

  async function submit(values: Checked): Promise<void> {
    try {
      const message = await decide({ ...values, requests: requests.map(({ requestId }) => requestId) })
      if (message !== undefined) onDone(message)
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
