import { createLink, useNavigate } from '@tanstack/react-router'
import { createPartner, listPartners } from '../../../contract/partners.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { useBusy } from '../../forms/use-busy.tsx'
import { useLeaveGuard } from '../../forms/use-leave-guard.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { NewBasicCard } from './basic-card.tsx'
import { emptyPartner, partnerForm, type CheckedPartner } from './form-values.ts'
import { LimitsCard } from './limits-card.tsx'
import { useRegion } from './region-fields.tsx'
import { useCodeCheck } from './code-field.tsx'

/** A link of the router that looks like a button. */
const LinkTo = createLink(LinkButton)

/**
 * The page /partner/insert (rules/partners#register-partner): registers a partner code (`createPartner`) after its
 * duplicate check has passed, and opens its page. A code in use and a closed affiliation are shown at their fields.
 * Asks before unsaved input is lost.
 */
export default function PartnerInsert() {
  const { titles, partners } = usePortalMessages()
  const t = partners.register
  const navigate = useNavigate()
  const create = useCall(createPartner)
  const { during, overlay } = useBusy()
  const form = useSchemaForm(partnerForm, emptyPartner())
  const check = useCodeCheck(form)
  const region = useRegion(form)
  const { allowLeave } = useLeaveGuard(form.formState.isDirty)

  async function register(values: CheckedPartner): Promise<void> {
    // Register submits only after the duplicate check has passed (rules/partners#code-check).
    if (!check.requireChecked()) return
    try {
      const { partnerCode } = await during(t.saving, () =>
        create.mutateAsync({ ...values, ...region.degrees() }),
      )
      void invalidate(listPartners)
      await dialogs.alert({ tone: 'success', message: t.done })
      allowLeave()
      await navigate({ to: '/partner/detail', search: { partnerCode } })
    } catch (error) {
      await showFailure(error)
    }
  }

  /** Shows a failed registration in an alert, and a code in use or a closed affiliation also at its field. */
  async function showFailure(error: unknown): Promise<void> {
    if (!(error instanceof CallError) || error.isHandled) return showRefusal(error)
    if (error.code === 'PARTNER_CODE_TAKEN') return check.showTaken()
    await dialogs.alert({ title: t.title, message: `${t.failed}\n${error.message}` })
    if (error.code !== 'AFFILIATION_CLOSED') return
    form.setError('affiliationCode', { type: 'server', message: error.message })
    form.setFocus('affiliationCode')
  }

  return (
    <Page title={titles.partnerInsert} actions={<LinkTo to="/partner/import">{titles.partnerImport}</LinkTo>}>
      <Form
        form={form}
        draft={{ about: '/partner/insert', nameOf: ({ partnerCode }) => partnerCode }}
        onSubmit={register}
        onWrong={check.requireChecked}
        className={layout.contents}
      >
        <NewBasicCard check={check} region={region} />
        <LimitsCard />
        <FormActions
          start={
            // Leaving asks first if there is unsaved input.
            <Button onClick={() => void navigate({ to: '/partner/search' })}>{partners.detail.list}</Button>
          }
        >
          <Button type="submit" variant="primary">
            {t.submit}
          </Button>
        </FormActions>
      </Form>
      {overlay}
    </Page>
  )
}
