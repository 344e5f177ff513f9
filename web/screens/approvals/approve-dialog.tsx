import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { approvalFields, approveRequests } from '../../../contract/approvals.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { datesInOrder } from '../../../contract/fields.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { BoundDate, BoundSelect } from '../../forms/bound-fields.tsx'
import { useChoiceWords } from '../../forms/choices.ts'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { today } from '../../forms/today.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import { usePartnersOf, useRoles } from '../users/lists.ts'
import layout from '../../ui/layout.module.css'
import { ChosenPeople } from './chosen-people.tsx'
import type { RequestRow } from './request-table.tsx'

const approval = z.strictObject(approvalFields).check(datesInOrder)
type Approval = z.input<typeof approval>

/** What a decision's dialog tells the page. */
export interface DecisionProps {
  requests: readonly RequestRow[]
  onDone: (count: number) => void
  /** The refusal is told: what the dialog was about is no longer so. */
  onStale: () => void
  onClose: () => void
}

/** The refusals after which the list has to be looked at again: nothing was changed. */
export function isStale(error: unknown): boolean {
  return error instanceof CallError && ['REQUEST_DECIDED', 'REQUEST_NOT_FOUND'].includes(error.code)
}

/** Validity, authority, and one partner code for each affiliation among the chosen: partner codes belong to one. */
export function ApproveDialog({ requests: opened, onDone, onStale, onClose }: DecisionProps) {
  const { approvals: t, fields, users } = usePortalMessages()
  const { language } = useLanguage()
  // What the dialog was opened for stays, whatever the list behind it does.
  const [requests] = useState(opened)
  const affiliations = [...new Map(requests.map((row) => [row.affiliationCode, row.affiliationName]))]
  const { mutateAsync } = useCall(approveRequests)
  const roles = useRoles()
  const form = useForm<Approval>({
    defaultValues: {
      validFrom: today(),
      validTo: '',
      roleCode: ROLE.user,
      partners: affiliations.map(([affiliationCode]) => ({ affiliationCode, partnerCode: '' })),
    },
    resolver: standardSchemaResolver(approval),
    mode: 'onTouched',
  })
  const date = { locale: language === 'ko' ? 'ko-KR' : 'en-US', calendarLabel: users.detail.calendar }

  async function submit(values: Approval): Promise<void> {
    try {
      const ids = requests.map(({ requestId }) => requestId)
      onDone((await mutateAsync({ requests: ids, ...values })).approvedCount)
    } catch (error) {
      await showRefusalOnField(error, form, {})
      if (isStale(error)) onStale()
    }
  }

  return (
    <Dialog title={t.approveTitle} width="wide" closeLabel={t.close} onClose={onClose}>
      <p className={layout.lead}>{t.approveLead}</p>
      <ChosenPeople requests={requests} />
      <FormProvider {...form}>
        <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
          <FormGrid labels="top">
            <BoundDate<Approval>
              {...date}
              name="validFrom"
              label={fields.validFrom}
              onChanged={() => {
                // The order of the two dates is told at the end date.
                if (form.getValues('validTo') !== '') void form.trigger('validTo')
              }}
              isRequired
            />
            <BoundDate<Approval> {...date} name="validTo" label={fields.validTo} isRequired />
            <BoundSelect<Approval>
              {...useChoiceWords(roles)}
              name="roleCode"
              label={fields.roleCode}
              options={roles.options}
              isLoading={roles.isLoading}
              isRequired
            />
            {affiliations.map(([code, name], index) => (
              <PartnerChoice key={code} affiliation={code} name={name} index={index} />
            ))}
          </FormGrid>
          <FormActions>
            <Button onClick={onClose}>{t.cancel}</Button>
            <Button type="submit" variant="primary" isPending={form.formState.isSubmitting}>
              {t.approve}
            </Button>
          </FormActions>
        </form>
      </FormProvider>
    </Dialog>
  )
}

/** The partner codes of one affiliation; says what to do where there are none. */
function PartnerChoice({ affiliation, name, index }: { affiliation: string; name: string; index: number }) {
  const { approvals, users } = usePortalMessages()
  const partners = usePartnersOf(affiliation)
  const words = useChoiceWords(partners)
  const isNone = !partners.isLoading && !partners.isFailed && partners.options.length === 0
  return (
    <BoundSelect<Approval>
      {...words}
      placeholder={isNone ? users.form.noPartnersShort : words.placeholder}
      name={`partners.${index}.partnerCode`}
      label={approvals.partnerOf(name)}
      options={partners.options}
      isLoading={partners.isLoading}
      description={isNone ? users.form.noPartners : undefined}
      requiredText={isNone ? users.form.noPartners : undefined}
      isRequired
    />
  )
}
