import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { isRedirecting, onServerFailure } from '../api/error-handling.ts'
import { draftClock, findFormDraft, forgetDraft, keepDraft, type DraftOfForm } from '../drafts.ts'
import { isLoggedOutElsewhere, onSessionResumed, sessionUserId } from '../session.ts'
import { isSecret } from './secret.ts'

/** Which draft it is, and how long it stays. */
export interface DraftPlace<Values extends FieldValues> {
  /** Which form it is, and of which record. */
  about: string
  /** The address that offers it; the one that the form was opened at, unless told. */
  href?: string | undefined
  /** What it is about, as people call it. */
  nameOf?: ((values: Values) => string) | undefined
  /** Kept only when a failure of the server leads away, not while one types. */
  isOnFailure?: boolean | undefined
  /** Who leaves the page does not give it up by that. */
  staysWhenLeft?: boolean | undefined
  version?: string | undefined
}

/** An older draft that is offered. */
interface Offer {
  draft: DraftOfForm
  /** What it is kept under. */
  about: string
}

/** At most so much typing is lost with a browser that is killed. */
const KEEP_AFTER_MS = 500

/** Where a draft goes that is still offered when a person begins to type anew. */
const earlier = (about: string) => `${about} earlier`

/**
 * Keeps what is typed in a form in this browser, for this person and this record, until it is saved or given up
 * (rules/frame#kept-drafts). Secrets are not kept.
 */
export function useKeptDraft<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  place: DraftPlace<Values>,
) {
  const { about, nameOf, isOnFailure = false, staysWhenLeft = false, version } = place
  const [person] = useState(sessionUserId)
  const [openedAt] = useState(addressNow)
  const [offer, setOffer] = useState(() => findOffer(form, person, about))
  const [keptAt, setKeptAt] = useState<string>()
  const hasKept = useRef(false)
  const isTyped = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function keep(): void {
    clearTimeout(timer.current)
    timer.current = undefined
    if (sessionUserId() !== person || isLoggedOutElsewhere()) return
    const values = typedIn(form, person)
    if (Object.keys(values).length === 0) {
      if (hasKept.current) forgetDraft(person, about)
      hasKept.current = false
      return setKeptAt(undefined)
    }
    // Nobody has answered the offer yet: the older draft stays beside the new one.
    if (offer?.about === about && keepDraft(person, earlier(about), offer.draft))
      setOffer({ ...offer, about: earlier(about) })
    const savedAt = new Date().toISOString()
    const name = nameOf?.(form.getValues()).trim()
    const draft: DraftOfForm = {
      savedAt,
      values,
      version,
      href: place.href ?? openedAt,
      name: name || undefined,
    }
    hasKept.current = keepDraft(person, about, draft)
    setKeptAt(hasKept.current ? draftClock(savedAt) : undefined)
  }

  // What leads away now takes what was typed with it.
  const keepNow = useEffectEvent(keep)
  useEffect(() => onServerFailure(() => keepNow()), [])
  // A logout in another tab has deleted it.
  const keepAgain = useEffectEvent(() => {
    if (hasKept.current) keep()
  })
  useEffect(() => onSessionResumed(() => keepAgain()), [])

  const follow = useEffectEvent((type: string | undefined) => {
    // What a script sets before a person has typed is no draft.
    if (type === 'change') isTyped.current = true
    else if (!isTyped.current && !form.formState.isDirty) return
    timer.current ??= setTimeout(() => keepNow(), KEEP_AFTER_MS)
  })
  const leave = useEffectEvent(() => {
    if (timer.current !== undefined) keep()
    const isGivenUp = addressNow() !== openedAt && !isRedirecting() && sessionUserId() === person
    if (isGivenUp && !staysWhenLeft && hasKept.current) forgetDraft(person, about)
  })
  useEffect(() => {
    if (isOnFailure) return
    const { unsubscribe } = form.watch((_, { type }) => follow(type))
    const keepWaiting = () => {
      if (timer.current !== undefined) keepNow()
    }
    window.addEventListener('pagehide', keepWaiting)
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', keepWaiting)
      leave()
    }
  }, [form, isOnFailure])

  function answerOffer(): void {
    if (offer !== undefined) forgetDraft(person, offer.about)
    const next = offer && offer.about === about ? findOffer(form, person, earlier(about)) : undefined
    setOffer(next)
  }

  return {
    /** An older draft that waits for an answer. */
    offer: offer && { ...offer.draft, savedAt: draftClock(offer.draft.savedAt) },
    /** When the last keystrokes were kept. */
    keptAt,
    /** Puts the offered draft into the form. */
    resume: (): void => {
      if (offer === undefined) return
      const now = form.getValues()
      // A form of an older release may have had other fields.
      const known = Object.entries(offer.draft.values).filter(
        ([name, value]) => name in now && typeof value === typeof now[name],
      )
      form.reset({ ...now, ...Object.fromEntries(known) }, { keepDefaultValues: true })
      answerOffer()
      isTyped.current = true
      hasKept.current = keepDraft(person, about, { ...offer.draft, values: typedIn(form, person) })
    },
    /** @returns what offers it again */
    discard: (): (() => void) => {
      answerOffer()
      return () => {
        if (offer !== undefined && keepDraft(person, offer.about, offer.draft)) setOffer(offer)
      }
    },
    /** What is typed is saved. */
    forget: (): void => {
      clearTimeout(timer.current)
      timer.current = undefined
      // An older one that is still offered stays.
      if (hasKept.current) forgetDraft(person, about)
      hasKept.current = false
      isTyped.current = false
      setKeptAt(undefined)
    },
  }
}

const addressNow = () => location.pathname + location.search

/** The draft that a form has, unless it holds the same already. */
function findOffer<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  person: string | null,
  about: string,
): Offer | undefined {
  for (const kept of [about, earlier(about)]) {
    const draft = findFormDraft(person, kept)
    if (draft === undefined) continue
    const now: Record<string, unknown> = form.getValues()
    const differs = ([name, value]: [string, unknown]) => !isSame(value, now[name])
    if (Object.entries(draft.values).some(differs)) return { draft, about: kept }
    // Saved meanwhile, or before the browser was killed; a visitor's tab brings it by itself.
    if (person !== null) forgetDraft(person, kept)
  }
  return undefined
}

function typedIn<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  person: string | null,
): Record<string, unknown> {
  // A visitor's form begins with what their tab has kept: that is typed, too.
  const before: Record<string, unknown> = (person !== null && form.formState.defaultValues) || {}
  const isTyped = ([name, value]: [string, unknown]) => !isSecret(name) && !isSame(value, before[name] ?? '')
  return Object.fromEntries(Object.entries<unknown>(form.getValues()).filter(isTyped))
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
