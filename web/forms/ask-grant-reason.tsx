import { useRef, useState } from 'react'
import { ROLE } from '../../contract/permissions.ts'
import { portalConfig } from '../api/config.ts'
import { portalMessages, usePortalMessages } from '../language.tsx'
import { dialogs } from '../ui/dialogs.ts'
import { TextField } from '../ui/text-field.tsx'

/**
 * Asks why a role is given or a function is granted, if the settings require it (rules/roles#grant-records). Asks nothing for 일반 사용자.
 * @returns the field of the call; undefined if the user cancels
 */
export async function askGrantReason(roleCode?: string): Promise<{ grantReason?: string } | undefined> {
  if (portalConfig().grantReasons !== true || roleCode === ROLE.user) return {}
  let grantReason = ''
  let askAgain: (() => void) | undefined
  const isGiven = await dialogs.confirm({
    title: portalMessages().fields.grantReason,
    message: (
      <GrantReason onChange={(text) => (grantReason = text.trim())} onReady={(ask) => (askAgain = ask)} />
    ),
    mayConfirm() {
      if (grantReason === '') askAgain?.()
      return grantReason !== ''
    },
  })
  return isGiven ? { grantReason } : undefined
}

interface Props {
  onChange: (text: string) => void
  /** Receives a function that asks for the missing reason. */
  onReady: (ask: () => void) => void
}

function GrantReason({ onChange, onReady }: Props) {
  const { fields, validation } = usePortalMessages()
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  return (
    <TextField
      ref={(element) => {
        field.current = element
        onReady(() => {
          setMissing(true)
          field.current?.focus()
        })
      }}
      label={fields.grantReason}
      value={text}
      onChange={(typed) => {
        setText(typed)
        setMissing(false)
        onChange(typed)
      }}
      maxLength={200}
      isRequired
      errorMessage={isMissing ? validation.required : undefined}
      autoComplete="off"
    />
  )
}
