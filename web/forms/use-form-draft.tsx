import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import { onServerFailure } from '../api/shared-handling.ts'
import { draftClock, findDraft, forgetDraft, keepDraft } from '../drafts.ts'
import { useMessages } from '../language.tsx'
import { sessionUserId } from '../session.ts'
import { DraftOffer } from './draft-offer.tsx'

/** What was typed of a form: the fields that differ from what it began with. */
const draft = z.object({ savedAt: z.string(), values: z.record(z.string(), z.unknown()) })

/** What no browser keeps. */
const SECRET = /password$|^confirmation$|^certificationCode$/i
/** Whether the field holds what is typed anew each time. */
export const isSecret = (name: string): boolean => SECRET.test(name)

/**
 * Keeps what was typed in a form when a failure of the server leads away from it (rules/frame#kept-drafts), and offers
 * it when the form is opened again.
 * @param about which form it is, and of which record
 * @returns the offer, while there is one
 */
export function useFormDraft<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  about: string,
): ReactNode {
  const t = useMessages().forms
  const [person] = useState(sessionUserId)
  const [offer, setOffer] = useState(() => findDraft(person, about, draft))

  const keep = useEffectEvent(() => {
    const values = typedIn(form)
    if (Object.keys(values).length > 0)
      keepDraft(person, about, { savedAt: new Date().toISOString(), values })
  })
  useEffect(() => onServerFailure(() => keep()), [])

  function forget(): void {
    forgetDraft(person, about)
    setOffer(undefined)
  }

  if (offer === undefined) return null
  return (
    <DraftOffer
      text={t.draft(draftClock(offer.savedAt))}
      onDiscard={forget}
      onResume={() => {
        const now = form.getValues()
        // A form of an older release may have had other fields.
        const known = Object.entries(offer.values).filter(
          ([name, value]) => name in now && typeof value === typeof now[name],
        )
        form.reset({ ...now, ...Object.fromEntries(known) }, { keepDefaultValues: true })
        forget()
      }}
    />
  )
}

function typedIn<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
): Record<string, unknown> {
  const before: Record<string, unknown> = form.formState.defaultValues ?? {}
  const isTyped = ([name, value]: [string, unknown]) =>
    !isSecret(name) && JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(Object.entries<unknown>(form.getValues()).filter(isTyped))
}
