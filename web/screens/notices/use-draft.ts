import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import { onServerFailure } from '../../api/shared-handling.ts'
import { draftClock, findDraft, forgetDraft, keepDraft } from '../../drafts.ts'
import { sessionUserId } from '../../session.ts'
import { typedNotice, type NoticeFormValues } from './form-values.ts'

/** A text that was begun and not saved. */
const draft = z.object({
  /** The moment of its last keystrokes. */
  savedAt: z.string(),
  values: typedNotice,
  /** Which edit of the notice it began from: an edit of somebody else's since is told on saving. */
  version: z.optional(z.string()),
})

const KEEP_AFTER_MS = 500

/**
 * Keeps what is typed in this browser, for this person and this notice, until it is saved.
 * @param about the notice's number, or 'new'
 */
export function useDraft(form: UseFormReturn<NoticeFormValues>, about: string, version: string | undefined) {
  const [person] = useState(sessionUserId)
  const [offer, setOffer] = useState(() => draftOf(person, about))
  const [keptAt, setKeptAt] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isWaiting = useRef(offer !== null)

  const keep = useEffectEvent(() => {
    if (person === null || sessionUserId() !== person) return
    const savedAt = new Date().toISOString()
    const isKept = keepDraft(person, about, { savedAt, values: form.getValues(), version })
    setKeptAt(isKept ? draftClock(savedAt) : undefined)
  })

  // What leads away now takes what was typed with it, an older draft that is still offered or not.
  useEffect(() => onServerFailure(() => form.formState.isDirty && keep()), [form])

  useEffect(() => {
    const { unsubscribe } = form.watch((_, { type }) => {
      // Only what a person typed; and nothing in place of an older draft that is still offered.
      if (type !== 'change' || person === null || isWaiting.current) return
      clearTimeout(timer.current)
      timer.current = setTimeout(() => keep(), KEEP_AFTER_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer.current)
    }
  }, [form, person])

  function answerOffer(): void {
    isWaiting.current = false
    setOffer(null)
  }

  function forget(): void {
    clearTimeout(timer.current)
    if (person !== null) forgetDraft(person, about)
    setKeptAt(undefined)
    answerOffer()
  }

  return {
    offer,
    /** When the last keystrokes were kept. */
    keptAt,
    /** The offer was taken: what is typed from now on is kept again. */
    resume: answerOffer,
    forget,
  }
}

function draftOf(person: string | null, about: string) {
  const kept = person === null ? undefined : findDraft(person, about, draft)
  return kept === undefined ? null : { ...kept, savedAt: draftClock(kept.savedAt) }
}
