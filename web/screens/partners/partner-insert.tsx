import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { FormProvider, useForm } from 'react-hook-form'
import { createPartner, listPartners } from '../../../contract/partners.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useLeaveGuard } from '../../forms/use-leave-guard.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions } from '../../ui/form-grid.tsx'
import { LoadingOverlay } from '../../ui/loading-overlay.tsx'
import { NewBasicCard } from './basic-card.tsx'
import { NO_PARTNER, partnerForm, type CheckedPartner, type PartnerValues } from './form-values.ts'
import { LimitsCard } from './limits-card.tsx'
import { useRegion } from './region-fields.tsx'
import { useCodeCheck } from './use-code-check.ts'

/** /partner/insert (rules/partners#register-partner): registers a code once its duplicate check has passed. */
export function PartnerInsert() {
  const { frame, partners } = usePortalMessages()
  const t = partners.register
  const navigate = useNavigate()
  const create = useCall(createPartner)
  const [isSaving, setSaving] = useState(false)
  const form = useForm<PartnerValues, unknown, CheckedPartner>({
    defaultValues: NO_PARTNER,
    resolver: standardSchemaResolver(partnerForm),
    mode: 'onTouched',
  })
  const check = useCodeCheck(form)
  const region = useRegion(form)
  const { allowLeave } = useLeaveGuard(form.formState.isDirty)

  async function register(values: CheckedPartner): Promise<void> {
    if (!check.isValid) {
      // Register submits only after the duplicate check has passed (rules/partners#code-check).
      check.demand()
      form.setFocus('partnerCode')
      return
    }
    if (!(await dialogs.confirm({ title: t.title, message: t.text }))) return
    setSaving(true)
    try {
      const { partnerCode } = await create.mutateAsync({ ...values, ...region.degrees() })
      void invalidate(listPartners)
      flushSync(() => setSaving(false))
      await dialogs.alert({ tone: 'success', message: t.done })
      allowLeave()
      await navigate({ to: '/partner/detail', search: { partnerCode } })
    } catch (error) {
      flushSync(() => setSaving(false))
      await tell(error)
    }
  }

  async function tell(error: unknown): Promise<void> {
    if (!(error instanceof CallError) || error.isHandled) {
      // The shared handling leads away from a 403 or a 500 (rules/frame#permission-failure): no second question on the
      // way.
      if (error instanceof CallError && !error.isUnavailable) allowLeave()
      return showRefusal(error)
    }
    if (error.code === 'PARTNER_CODE_TAKEN') return check.tellTaken()
    await dialogs.alert({ title: t.title, message: `${t.failed}\n${error.msg}` })
  }

  return (
    <Page title={frame.titles.partnerInsert}>
      <FormProvider {...form}>
        <form
          noValidate
          onSubmit={(event) =>
            void form.handleSubmit(register, () => {
              if (!check.isValid) check.demand()
            })(event)
          }
          style={{ display: 'contents' }}
        >
          <NewBasicCard check={check} region={region} />
          <LimitsCard />
          <FormActions>
            <Button type="submit" variant="primary">
              {t.submit}
            </Button>
          </FormActions>
        </form>
      </FormProvider>
      {isSaving && <LoadingOverlay label={t.saving} />}
    </Page>
  )
}
