import { useState } from 'react'
import { type FieldPath, type FieldValues, type UseFormReturn, useWatch } from 'react-hook-form'
import { listHistory } from '../../contract/audit.ts'
import { invalidate } from '../api/query.ts'
import { usePortalMessages } from '../language.tsx'
import { type ConfirmOptions, dialogs } from '../ui/dialogs.ts'
import { differ, resetToSaved } from './reset-to-saved.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

/** The record that the form opened with, and how to read it again. */
interface Options<Saved, Values> {
  record: Saved
  /** Reads the record again; undefined when that failed. */
  reload: () => Promise<Saved | undefined>
  valuesOf: (record: Saved) => Values
}

/** Name of a field of the form; a list in it is one field. */
type Field<Values> = keyof Values & string

/**
 * Manages the saved record of a form, which other users may change in the meantime, and guards unsaved input
 * (rules/frame#unsaved-changes).
 * @returns
 * - `base`: the version against which the form is saved.
 * - `conflict`: the fields that a save would overwrite; undefined without an edit conflict.
 * - `confirmSave`: asks before such a save; true if the save may go on.
 * - `takeTheirs`: replaces these fields by the other user's values.
 * - `beginAgain`: loads the record again after a conflict, and keeps unsaved input. `beginAnew`: loads it after a save,
 *   and keeps only what was typed while it loads. Both return undefined if that failed.
 * - `allowLeave`: see `useLeaveGuard`.
 */
export function useSavedRecord<Saved, Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  { record, reload, valuesOf }: Options<Saved, Values>,
) {
  const t = usePortalMessages().forms
  const [base, setBase] = useState(record)
  const [changedByBoth, setChangedByBoth] = useState<Field<Values>[]>()
  const typed = useWatch({ control: form.control }) as Values
  const conflict = changedByBoth?.filter((name) => differ(typed[name], valuesOf(base)[name]))
  const { allowLeave, guard } = useLeaveGuard(form.formState.isDirty)

  /**
   * Reads the record again and fills the form with it. `keepTyped` keeps unsaved input and finds the fields that both
   * users changed.
   */
  async function begin(keepTyped: boolean): Promise<Saved | undefined> {
    void invalidate(listHistory)
    const sent = structuredClone(form.getValues())
    const fresh = await reload()
    if (fresh === undefined) return undefined
    const [before, mine, theirs] = [valuesOf(base), form.getValues(), valuesOf(fresh)]
    const changed = (Object.keys(theirs) as Field<Values>[]).filter(
      (name) =>
        // In an earlier conflict that is still open, the base holds the other user's value already.
        changedByBoth?.includes(name) ||
        (differ(before[name], theirs[name]) && differ(before[name], mine[name])),
    )
    resetToSaved(form, theirs, sent, { keepDirtyValues: keepTyped })
    setBase(() => fresh)
    setChangedByBoth(keepTyped ? changed : undefined)
    return fresh
  }

  /** Reads the record again after a save. */
  async function beginAnew(): Promise<Saved | undefined> {
    // The input is saved, although the form still counts it as unsaved.
    allowLeave()
    const fresh = await begin(false)
    guard()
    return fresh
  }

  /** Asks before a save that overwrites another user's changes. @param usual the question without a conflict, if any */
  async function confirmSave(usual?: ConfirmOptions): Promise<boolean> {
    if (conflict !== undefined && conflict.length > 0)
      return dialogs.confirm({ title: t.conflictTitle, ...usual, message: t.overwriteText, isDanger: true })
    return usual === undefined || dialogs.confirm(usual)
  }

  /** Puts the other user's values into the conflicting fields, and ends the conflict. */
  function takeTheirs(): void {
    const theirs = valuesOf(base)
    const names = (conflict ?? []) as FieldPath<Values>[]
    for (const name of names) form.setValue(name, theirs[name], { shouldDirty: true, shouldValidate: true })
    setChangedByBoth(undefined)
    if (names[0] !== undefined) form.setFocus(names[0])
  }

  return {
    base,
    conflict,
    confirmSave,
    takeTheirs,
    beginAgain: () => begin(true),
    beginAnew,
    allowLeave,
  }
}
