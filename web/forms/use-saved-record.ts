import { useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { listHistory } from '../../contract/audit.ts'
import { invalidate } from '../api/query.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

interface Options<Saved, Values> {
  record: Saved
  /** Reads the record again; undefined when that failed. */
  reload: () => Promise<Saved | undefined>
  valuesOf: (record: Saved) => Values
}

/**
 * The record that a form was begun with, which others may save meanwhile (rules/frame#unsaved-changes guards what is typed).
 * @returns `base`, against which the form is saved; `isChanged`, while somebody else's record stands under what is typed;
 * `beginAgain`, which takes that record up and keeps what was typed; `beginAnew`, once it is saved; and `allowLeave`
 */
export function useSavedRecord<Saved, Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  { record, reload, valuesOf }: Options<Saved, Values>,
) {
  const [base, setBase] = useState(record)
  const [isChanged, setChanged] = useState(false)
  const { allowLeave, guard } = useLeaveGuard(form.formState.isDirty)

  async function begin(keepTyped: boolean): Promise<Saved | undefined> {
    void invalidate(listHistory)
    const fresh = await reload()
    if (fresh === undefined) return undefined
    form.reset(valuesOf(fresh), { keepDirtyValues: keepTyped })
    setBase(() => fresh)
    setChanged(keepTyped)
    return fresh
  }

  async function beginAnew(): Promise<Saved | undefined> {
    // What was typed is saved, though the form does not know it yet.
    allowLeave()
    const fresh = await begin(false)
    guard()
    return fresh
  }

  return { base, isChanged, beginAgain: () => begin(true), beginAnew, allowLeave }
}
