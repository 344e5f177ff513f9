import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { usePortalMessages } from '../language.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { useAutosavedDraft, type DraftOptions } from './use-autosaved-draft.ts'

/**
 * Stores the draft of a form with `useAutosavedDraft`, and renders the offer of an earlier one.
 * @returns the offer, if there is one, and a function that deletes the draft after a save
 */
export function useFormDraft<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  options: DraftOptions<Values>,
): { offer: ReactNode; forget: () => void } {
  const t = usePortalMessages().forms
  const { offer, resume, discard, forget } = useAutosavedDraft(form, options)
  return {
    offer: offer && <DraftOffer text={t.draft(offer.savedAt)} onDiscard={discard} onResume={resume} />,
    forget,
  }
}
