import { useState } from 'react'
import { listHistory } from '../../../contract/audit.ts'
import { listPartners, updatePartner } from '../../../contract/partners.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { useBusy } from '../../forms/use-busy.tsx'
import { useSavedRecord } from '../../forms/use-saved-record.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { ErrorState } from '../../ui/states.tsx'
import { History } from '../audit/history.tsx'
import { SavedBasicCard } from './basic-card.tsx'
import { ChangedCard } from './changed-card.tsx'
import { partnerForm, valuesOf, type CheckedPartner, type PartnerRecord } from './form-values.ts'
import { LimitsCard } from './limits-card.tsx'
import styles from './partners.module.css'
import { StatusCard } from './status-card.tsx'
import { PartnerUsage, usePartnerUsage } from './partner-usage.tsx'
import { useRegion } from './region-fields.tsx'
import { useRemoval } from './use-removal.ts'

interface Props {
  record: PartnerRecord
  /** Reads the record again; undefined when that failed. */
  reload: () => Promise<PartnerRecord | undefined>
  toList: () => Promise<void>
}

/** The form of /partner/detail (rules/partners#edit-partner): list, edit, delete. */
export function PartnerForm({ record, reload, toList }: Props) {
  const { partners, lists } = usePortalMessages()
  const t = partners.detail
  const update = useCall(updatePartner)
  // The current state of the fields that this form does not edit. Unsaved input is kept.
  const [status, setStatus] = useState(record)
  const { during, overlay } = useBusy()
  const form = useSchemaForm(partnerForm, valuesOf(record))
  const { base, conflict, confirmSave, takeTheirs, beginAgain, beginAnew, allowLeave } = useSavedRecord(
    form,
    {
      record,
      reload,
      valuesOf,
    },
  )
  const region = useRegion(form, base)
  const usage = usePartnerUsage(record.partnerCode)
  const removal = useRemoval(record.partnerCode, { allowLeave, during })

  function show(fresh: PartnerRecord | undefined): void {
    if (fresh !== undefined) setStatus(fresh)
  }

  async function follow(): Promise<void> {
    void invalidate(listHistory)
    show(await reload())
  }

  /** Returns the reasons for which a deletion would be refused. */
  function usersOf({ userCount, withdrawnCount }: PartnerRecord, keys = 0): string[] {
    const counts = { users: userCount, withdrawn: withdrawnCount, keys }
    return (['users', 'withdrawn', 'keys'] as const)
      .filter((what) => counts[what] > 0)
      .map((what) => t.refer[what](counts[what].toLocaleString()))
  }

  async function removeNow(): Promise<void> {
    const [fresh, used] = await Promise.all([reload(), usage.refetch()])
    show(fresh)
    await removal.ask(usersOf(fresh ?? status, used.data?.total.used))
  }

  async function save(values: CheckedPartner): Promise<void> {
    if (!(await confirmSave({ title: t.editTitle, message: t.editText }))) return
    try {
      await during(t.saving, () =>
        update.mutateAsync({ ...values, ...region.degrees(), version: base.version }),
      )
      void invalidate(listPartners)
      await dialogs.alert({ tone: 'success', message: t.edited })
      show(await beginAnew())
    } catch (error) {
      await tell(error)
    }
  }

  async function tell(error: unknown): Promise<void> {
    if (!(error instanceof CallError) || error.isHandled) return showRefusal(error)
    await dialogs.alert({ title: t.editFailedTitle, message: `${t.editFailed}\n${error.msg}` })
    if (error.code === 'RECORD_CHANGED') show(await beginAgain())
  }

  return (
    <>
      <StatusCard record={status} keyCount={usage.data?.total.used} onChanged={follow} />
      <Form
        form={form}
        draft={{ about: `partner ${record.partnerCode}`, nameOf: () => record.partnerCode }}
        onSubmit={save}
        className={layout.contents}
      >
        {conflict && <ChangedCard key={base.version} saved={base} conflict={conflict} onTake={takeTheirs} />}
        <SavedBasicCard record={base} region={region} />
        <LimitsCard usage={usage.data} />
        <PartnerUsage usage={usage} />
        {removal.error !== undefined && (
          <div className={styles.removal}>
            <ErrorState message={removal.error} retryLabel={lists.retry} onRetry={() => void removeNow()} />
          </div>
        )}
        <FormActions
          start={
            <>
              <Button onClick={() => void toList()}>{t.list}</Button>
              <Button
                variant="danger"
                onClick={() => void removal.ask(usersOf(status, usage.data?.total.used))}
              >
                {t.remove}
              </Button>
            </>
          }
        >
          <Button type="submit" variant="primary">
            {t.edit}
          </Button>
        </FormActions>
      </Form>
      <History recordKind="partner" recordId={record.partnerCode} />
      {overlay}
    </>
  )
}
