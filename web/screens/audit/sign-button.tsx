import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useLatePart } from '../../ui/use-late-part.ts'

const loadDialog = () => import('./sign-dialog.tsx')

/** Texts and calls for signing an inspection or a review. */
export interface Signing {
  /** Which one, as the contract calls it. */
  about: string
  texts: Record<'sign' | 'signTitle' | 'signLead' | 'opinionLabel' | 'signed', string>
  /** Signs it with an opinion about it as a whole. */
  sign: (opinion: string) => Promise<unknown>
  /** Reads the current state again. */
  refresh: () => Promise<unknown>
}

/** The button that signs an inspection or a review after everything in it is decided. */
export function SignButton({ isDisabled, ...signing }: Signing & { isDisabled: boolean }) {
  const [isSigning, setSigning] = useState(false)
  const dialog = useLatePart(loadDialog)
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
