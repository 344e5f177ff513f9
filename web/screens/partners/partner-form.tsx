import { useState } from 'react'
import { listHistory } from '../../../contract/audit.ts'
import { listPartners, updatePartner, deletePartner } from '../../../contract/partners.ts'
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
import {
  partnerForm,
  valuesOf,
  type CheckedPartner,
  type PartnerRecord,
  type PartnerValues,
} from './form-values.ts'
import { LimitsCard, PartnerUsage, usePartnerUsage } from './limits-card.tsx'
import styles from './partners.module.css'
import { StatusCard } from './status-card.tsx'
import { useRegion } from './region-fields.tsx'
import { ConflictCard } from '../../forms/conflict-card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/client.ts'

/** The partner and the way to read it again. */
interface Props {
  record: PartnerRecord
  /** Reads the record again. @returns undefined on failure */
  reload: () => Promise<PartnerRecord | undefined>
  toList: () => Promise<void>
}

/**
 * Shows the form of /partner/detail (rules/partners#edit-partner) with status, limits and usage, history, and buttons
 * to go to the list, save (`updatePartner`) and delete. Asks before it saves. After an edit conflict (RECORD_CHANGED)
 * it loads the partner again and keeps unsaved input.
 */
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
    { record, reload, valuesOf },
  )
  const region = useRegion(form, base)
  const usage = usePartnerUsage(record.partnerCode)
  const removal = useRemoval(record.partnerCode, { allowLeave, during })

  /**
   * Shows the status and counts of a partner that was read again; the form and unsaved input stay. Does nothing if the
   * reading failed (undefined).
   */
  function showStatus(fresh: PartnerRecord | undefined): void {
    if (fresh !== undefined) setStatus(fresh)
  }

  /**
   * Reads the partner and its history again, after its status has changed. If the reading fails, the earlier status
   * stays.
   */
  async function follow(): Promise<void> {
    void invalidate(listHistory)
    showStatus(await reload())
  }

  /**
   * Returns the reasons for which a deletion would be refused: users, withdrawn users and keys of the partner. Empty if
   * there are none.
   * @param keys number of issued keys; 0 while it is unknown, so that the server decides
   */
  function obstaclesOf({ userCount, withdrawnCount }: PartnerRecord, keys = 0): string[] {
    const counts = { users: userCount, withdrawn: withdrawnCount, keys }
    return (['users', 'withdrawn', 'keys'] as const)
      .filter((what) => counts[what] > 0)
      .map((what) => t.refer[what](counts[what].toLocaleString()))
  }

  /**
   * Tries a deletion again: reads what uses the partner, and deletes it after a question if nothing does. If the
   * reading fails, the earlier counts decide.
   */
  async function removeNow(): Promise<void> {
    const [fresh, used] = await Promise.all([reload(), usage.refetch()])
    showStatus(fresh)
    await removal.remove(obstaclesOf(fresh ?? status, used.data?.total.used))
  }

  async function save(values: CheckedPartner): Promise<void> {
    if (!(await confirmSave({ title: t.editTitle, message: t.editText }))) return
    try {
      await during(t.saving, () =>
        update.mutateAsync({ ...values, ...region.degrees(), version: base.version }),
      )
      void invalidate(listPartners)
      await dialogs.alert({ tone: 'success', message: t.edited })
      showStatus(await beginAnew())
    } catch (error) {
      await showFailure(error)
    }
  }

  /** Shows a failed save in an alert. After an edit conflict it loads the partner again and keeps unsaved input. */
  async function showFailure(error: unknown): Promise<void> {
    if (!(error instanceof CallError) || error.isHandled) return showRefusal(error)
    await dialogs.alert({ title: t.editFailedTitle, message: `${t.editFailed}\n${error.message}` })
    if (error.code === 'RECORD_CHANGED') showStatus(await beginAgain())
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
                onClick={() => void removal.remove(obstaclesOf(status, usage.data?.total.used))}
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

/** The saved partner and the fields in conflict. */
interface ChangedCardProps {
  saved: PartnerRecord
  conflict: readonly (keyof PartnerValues)[]
  onTake: () => void
}

/**
 * Shows, after an edit conflict, the saved values of the fields that both the user and another user have changed, so
 * that neither version is lost unseen.
 */
function ChangedCard({ saved, conflict, onTake }: ChangedCardProps) {
  const { fields, partners } = usePortalMessages()
  const t = partners.detail
  const present = valuesOf(saved)
  return (
    <ConflictCard title={t.changedTitle} isOverwriting={conflict.length > 0} onTake={onTake}>
      <FactList
        facts={conflict.map((name) => [
          name === 'memo' ? partners.memo : fields[name],
          present[name] === '' ? t.empty : present[name],
        ])}
      />
    </ConflictCard>
  )
}

/** Functions of the form that a deletion uses. */
interface FormAround {
  allowLeave: () => void
  during: ReturnType<typeof useBusy>['during']
}

/**
 * Deletes a partner (`deletePartner`, rules/partners#delete-partner).
 * @returns `remove`, which deletes it after a question and opens the search; and `error`, the message of a failure
 */
function useRemoval(code: string, { allowLeave, during }: FormAround) {
  const t = usePortalMessages().partners.detail
  const navigate = useNavigate()
  const [error, setError] = useState<string>()

  /** @param obstacles descriptions of records that use the partner; if there are any, sets `error` and makes no call */
  async function remove(obstacles: readonly string[]): Promise<void> {
    if (obstacles.length > 0) return setError(t.inUse(obstacles.join(', ')))
    const message = t.removeText(code)
    if (!(await dialogs.confirm({ title: t.removeTitle, message, isDanger: true }))) return
    setError(undefined)
    try {
      await during(t.removing, () => call(deletePartner, { partnerCode: code }, { inline: 'serverFailure' }))
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      if (!failure.isHandled) setError(failure.isServerFailure ? t.removeFailed : failure.message)
      return
    }
    void invalidate(listPartners)
    allowLeave()
    await navigate({ to: '/partner/search' })
  }

  return { remove, error }
}
