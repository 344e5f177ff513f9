import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useLazyPart } from '../../ui/use-lazy-part.ts'

/** Loads the code of the dialog that signs. */
const loadDialog = () => import('./sign-dialog.tsx')

/** Texts and calls for signing an inspection or a review. */
export interface SignatureProps {
  /** Month or quarter of the inspection or review. */
  about: string
  texts: Record<'sign' | 'signTitle' | 'signLead' | 'opinionLabel' | 'signed', string>
  /** Signs it with an opinion about it as a whole. */
  sign: (opinion: string) => Promise<unknown>
  /** Reads the current state again. */
  refresh: () => Promise<unknown>
}

/**
 * Shows the button that opens the dialog to sign an inspection or a review. The caller disables it until every item has a
 * decision.
 */
export function SignButton({ isDisabled, ...signing }: SignatureProps & { isDisabled: boolean }) {
  const [isSigning, setSigning] = useState(false)
  const dialog = useLazyPart(loadDialog)
  return (
    <>
      <Button
        variant="primary"
        isDisabled={isDisabled}
        onClick={() => {
          setSigning(true)
          dialog.open()
        }}
      >
        {signing.texts.sign}
      </Button>
      {isSigning && dialog.opened && (
        <dialog.opened.SignDialog {...signing} onClose={() => setSigning(false)} />
      )}
    </>
  )
}
