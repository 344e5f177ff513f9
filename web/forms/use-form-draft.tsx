import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { usePortalMessages } from '../language.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { useKeptDraft, type DraftPlace } from './use-kept-draft.ts'

/**
 * Keeps what is typed in a form (`useKeptDraft`), and offers it when the form is opened again.
 * @returns the offer, while there is one, and what forgets what was kept
 */
export function useFormDraft<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  place: DraftPlace<Values>,
): { offer: ReactNode; forget: () => void } {
  const t = usePortalMessages().forms
  const { offer, resume, discard, forget } = useKeptDraft(form, place)
  return {
    offer: offer && <DraftOffer text={t.draft(offer.savedAt)} onDiscard={discard} onResume={resume} />,
    forget,
  }
}
