import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { isRedirecting, onServerFailure } from '../api/error-handling.ts'
import { formatDraftTime, findDraft, deleteDraft, saveDraft, type FormDraft } from '../drafts.ts'
import { isLoggedOutElsewhere, onSessionResumed, sessionUserId } from '../session.ts'
import { isSecret } from './secret-fields.ts'

/** Where a draft is stored, and when. */
export interface DraftOptions<Values extends FieldValues> {
  /** Storage key: names the form and its record. */
  about: string
  /** URL of the page that offers the draft; by default the one at which the form was opened. */
  href?: string | undefined
  /** Returns the name of the record, as users call it; '' for none. */
  nameOf?: ((values: Values) => string) | undefined
  /** True to store the draft only before a server failure redirects, not on every input. */
  onlyOnServerFailure?: boolean | undefined
  /** True to keep the draft when the user leaves the page without saving. */
  keepOnLeave?: boolean | undefined
  /** Version of the record that the form was opened with. */
  version?: string | undefined
}

/** An earlier draft that the form offers to resume or discard. */
interface Offer {
  draft: FormDraft
  /** Its storage key. */
  about: string
}

/** Milliseconds between an input and its storage: the input that a crash of the browser may lose. */
const SAVE_DELAY_MS = 500

/** Returns the storage key to which an offered draft moves when the user types without answering the offer. */
const earlier = (about: string) => `${about} earlier`

/**
 * Stores the changed fields of a form in this browser half a second after an input, per user and record
 * (rules/frame#kept-drafts). Deletes the draft when no field differs any more, or when the user leaves the page, unless
 * `keepOnLeave`. Does not store secrets, and nothing after a logout. Also returns an earlier draft for the caller to
 * offer (`useFormDraft` shows the offer).
 */
export function useAutosavedDraft<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  options: DraftOptions<Values>,
) {
  const { about, nameOf, onlyOnServerFailure = false, keepOnLeave = false, version } = options
  const [userId] = useState(sessionUserId)
  const [openedAt] = useState(currentUrl)
  const [offer, setOffer] = useState(() => findOffer(form, userId, about))
  const [savedTime, setSavedTime] = useState<string>()
  const isSaved = useRef(false)
  const hasUserInput = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  /** Stores the changed fields now, or deletes the draft if none is changed. Does nothing after a logout. */
  function save(): void {
    clearTimeout(timer.current)
    timer.current = undefined
    if (sessionUserId() !== userId || isLoggedOutElsewhere()) return
    const values = changedValues(form, userId)
    if (Object.keys(values).length === 0) {
      if (isSaved.current) deleteDraft(userId, about)
      isSaved.current = false
      return setSavedTime(undefined)
    }
    // The user has not answered the offer: move the earlier draft, so that the new one does not replace it.
    if (offer?.about === about && saveDraft(userId, earlier(about), offer.draft))
      setOffer({ ...offer, about: earlier(about) })
    const savedAt = new Date().toISOString()
    const name = nameOf?.(form.getValues()).trim()
    const draft: FormDraft = {
      savedAt,
      values,
      version,
      href: options.href ?? openedAt,
      name: name || undefined,
    }
    isSaved.current = saveDraft(userId, about, draft)
    setSavedTime(isSaved.current ? formatDraftTime(savedAt) : undefined)
  }

  const saveNow = useEffectEvent(save)
  useEffect(() => onServerFailure(() => saveNow()), [])
  // A logout in another tab has deleted the draft.
  const saveAgain = useEffectEvent(() => {
    if (isSaved.current) save()
  })
  useEffect(() => onSessionResumed(() => saveAgain()), [])

  const scheduleSave = useEffectEvent((type: string | undefined) => {
    // Values that a script sets before the first input of the user are not a draft.
    if (type === 'change') hasUserInput.current = true
    else if (!hasUserInput.current && !form.formState.isDirty) return
    timer.current ??= setTimeout(() => saveNow(), SAVE_DELAY_MS)
  })
  const leave = useEffectEvent(() => {
    if (timer.current !== undefined) save()
    const isLeft = currentUrl() !== openedAt && !isRedirecting() && sessionUserId() === userId
    if (isLeft && !keepOnLeave && isSaved.current) deleteDraft(userId, about)
  })
  useEffect(() => {
    if (onlyOnServerFailure) return
    const { unsubscribe } = form.watch((_, { type }) => scheduleSave(type))
    const savePending = () => {
      if (timer.current !== undefined) saveNow()
    }
    window.addEventListener('pagehide', savePending)
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', savePending)
      leave()
    }
  }, [form, onlyOnServerFailure])

  /** Deletes the offered draft, and offers the next one if there is another. */
  function answerOffer(): void {
    if (offer !== undefined) deleteDraft(userId, offer.about)
    const next = offer && offer.about === about ? findOffer(form, userId, earlier(about)) : undefined
    setOffer(next)
  }

  return {
    /** The earlier draft, until the user resumes or discards it. */
    offer: offer && { ...offer.draft, savedAt: formatDraftTime(offer.draft.savedAt) },
    /** Time of the last save; undefined before the first one. */
    savedTime,
    /** Fills the form with the offered draft, without fields that the form no longer has. */
    resume: (): void => {
      if (offer === undefined) return
      const now = form.getValues()
      // The form of an older release may have had other fields.
      const currentFields = Object.entries(offer.draft.values).filter(
        ([name, value]) => name in now && typeof value === typeof now[name],
      )
      form.reset({ ...now, ...Object.fromEntries(currentFields) }, { keepDefaultValues: true })
      answerOffer()
      hasUserInput.current = true
      isSaved.current = saveDraft(userId, about, { ...offer.draft, values: changedValues(form, userId) })
    },
    /** Deletes the offered draft. @returns a function that restores it */
    discard: (): (() => void) => {
      answerOffer()
      return () => {
        if (offer !== undefined && saveDraft(userId, offer.about, offer.draft)) setOffer(offer)
      }
    },
    /**
     * Deletes the draft of this form after its record was saved. An earlier draft that is still offered
     * stays.
     */
    forget: (): void => {
      clearTimeout(timer.current)
      timer.current = undefined
      if (isSaved.current) deleteDraft(userId, about)
      isSaved.current = false
      hasUserInput.current = false
      setSavedTime(undefined)
    },
  }
}

/** Returns path and query of the current page. */
const currentUrl = () => location.pathname + location.search

/**
 * Returns the stored draft of a form. Deletes a user's draft that has the same values as the form.
 * @returns undefined if there is none that differs from the form
 */
function findOffer<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  userId: string | null,
  about: string,
): Offer | undefined {
  for (const key of [about, earlier(about)]) {
    const draft = findDraft(userId, key)
    if (draft === undefined) continue
    const now: Record<string, unknown> = form.getValues()
    const differs = ([name, value]: [string, unknown]) => !isSame(value, now[name])
    if (Object.entries(draft.values).some(differs)) return { draft, about: key }
    // The record has these values by now. A guest's form begins with those that its tab has stored.
    if (userId !== null) deleteDraft(userId, key)
  }
  return undefined
}

/** Returns the fields that differ from their defaults, without secrets. For a guest: the fields that are not empty. */
function changedValues<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  userId: string | null,
): Record<string, unknown> {
  // A guest's form begins with values that its tab has stored; those are input, too.
  const before: Record<string, unknown> = (userId !== null && form.formState.defaultValues) || {}
  const isChanged = ([name, value]: [string, unknown]) =>
    !isSecret(name) && !isSame(value, before[name] ?? '')
  return Object.fromEntries(Object.entries<unknown>(form.getValues()).filter(isChanged))
}

/** Returns whether two values are the same as JSON. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
