import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { usePortalMessages } from '../../../language.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { type UserFormValues, type UserRecord, valuesOf } from './form-values.ts'
import { PresentRecord } from './present-record.tsx'

/**
 * Which record the form began from, and what happens when it is no longer the present one (rules/users#two-editors).
 */
interface BaseRecord {
  /** Sent with a save. */
  version: string
  /** The form begins from this record now. */
  begin: (record: UserRecord) => void
  /** One click changed the end or the suspension: the form follows in that alone, and what was typed stays. */
  follow: () => Promise<void>
  /** Tells RECORD_CHANGED, and offers the present record. */
  tellChanged: () => Promise<void>
  /** The comparison, while it is open. */
  dialog: ReactNode
}

/** @param reload reads the record again; undefined when that failed, which was told by then */
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
    // Whatever else somebody changed meanwhile was not seen yet: a save is still to be told.
    if (rest(fresh) === rest(base)) setBase(fresh)
    else setBase({ ...base, validTo: fresh.validTo, email: fresh.email })
  }

  // An e-mail is certified beside the form.
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
        // What the person changed stays, the rest becomes what it is now.
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

/** What is changed beside the form, which follows. */
const FOLLOWED = ['validTo', 'email'] as const

/** What the form alone edits. */
function rest(user: UserRecord): string {
  return JSON.stringify({ ...valuesOf(user), validTo: '', email: '' })
}
