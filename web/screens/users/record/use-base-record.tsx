import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { usePortalMessages } from '../../../language.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { type UserFormValues, type UserRecord, valuesOf } from './form-values.ts'
import { PresentRecord } from './present-record.tsx'

/** The record that a form was filled from, and the reaction when another user changes it (rules/users#two-editors). */
interface BaseRecord {
  /** The version that is sent with a save. */
  version: string
  /** Makes this record the base of the form. */
  begin: (record: UserRecord) => void
  /** Adopts an expiry date or suspension that the user changed by one click. Keeps the other unsaved input. */
  follow: () => Promise<void>
  /** Shows RECORD_CHANGED and offers the current record. */
  tellChanged: () => Promise<void>
  /** The comparison dialog while it is open. */
  dialog: ReactNode
}

/** @param reload reads the record again; resolves to undefined if that failed, after showing the error */
export function useBaseRecord(
  form: UseFormReturn<UserFormValues>,
  record: UserRecord,
  reload: () => Promise<UserRecord | undefined>,
): BaseRecord {
  const t = usePortalMessages().users.conflict
  const [base, setBase] = useState(record)
  const [present, setPresent] = useState<UserRecord>()

  function begin(fresh: UserRecord): void {
    form.reset(valuesOf(fresh))
    setBase(fresh)
  }

  async function follow(): Promise<void> {
    const fresh = await reload()
    if (fresh !== undefined) adopt(fresh)
  }

  function adopt(fresh: UserRecord): void {
    for (const name of FOLLOWED) {
      if (fresh[name] !== undefined && fresh[name] !== base[name]) {
        form.resetField(name, { defaultValue: fresh[name] })
      }
    }
    // The user has not seen the other changes yet, so a save must still report the conflict.
    if (rest(fresh) === rest(base)) setBase(fresh)
    else setBase({ ...base, validTo: fresh.validTo, email: fresh.email })
  }

  // An email address is verified outside the form.
  const adoptEmail = useEffectEvent(() => {
    if (record.email !== base.email) adopt(record)
  })
  useEffect(() => adoptEmail(), [record.email])

  async function tellChanged(): Promise<void> {
    const wantsToSee = await dialogs.confirm({
      title: t.title,
      message: t.text,
      yesLabel: t.show,
      noLabel: t.stay,
    })
    if (wantsToSee) setPresent(await reload())
  }

  const close = () => setPresent(undefined)
  const dialog = present !== undefined && (
    <PresentRecord
      present={present}
      typed={form.getValues()}
      onKeep={() => {
        // Keeps what the user changed and updates all other fields.
        form.reset(valuesOf(present), { keepDirtyValues: true })
        setBase(present)
        close()
      }}
      onTake={() => {
        begin(present)
        close()
      }}
      onClose={close}
    />
  )
  return { version: base.version, begin, follow, tellChanged, dialog }
}

/** Fields that change outside the form. The form adopts their values. */
const FOLLOWED = ['validTo', 'email'] as const

/** Returns the values that only the form edits, as JSON. */
function rest(user: UserRecord): string {
  return JSON.stringify({ ...valuesOf(user), validTo: '', email: '' })
}
