import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useLatePart } from '../../ui/use-late-part.ts'

const loadDialog = () => import('./sign-dialog.tsx')

/** What an inspection or a review is signed with. */
export interface Signing {
  /** Which one, as the contract calls it. */
  about: string
  texts: Record<'sign' | 'signTitle' | 'signLead' | 'opinionLabel' | 'signed', string>
  /** Signs it with an opinion about it as a whole. */
  sign: (opinion: string) => Promise<unknown>
  /** Shows what is there by now. */
  refresh: () => Promise<unknown>
}

/** Signs an inspection or a review, once nothing in it is open. */
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
