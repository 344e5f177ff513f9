import { useState } from 'react'
import { usePortalMessages } from '../../../language.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import layout from '../../../ui/layout.module.css'

/** The question before somebody else is withdrawn, with a reason that may be left out (rules/users#withdrawal). */
export function WithdrawQuestion({ text, onReason }: { text: string; onReason: (reason: string) => void }) {
  const { fields, users } = usePortalMessages()
  const [reason, setReason] = useState('')
  return (
    <div className={layout.stack}>
      <p>{text}</p>
      <p className={layout.quiet}>{users.detail.withdrawHint}</p>
      <TextField
        label={fields.withdrawnReason}
        value={reason}
        onChange={(typed) => {
          setReason(typed)
          onReason(typed)
        }}
        maxLength={200}
        autoComplete="off"
      />
    </div>
  )
}
