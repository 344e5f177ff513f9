import { useEffect, type ReactNode } from 'react'

/** Only text can be shown by the browser's own dialogs. */
function textOf(message: ReactNode): string {
  return typeof message === 'string' || typeof message === 'number' ? String(message) : ''
}

/** An alert without any of our code to load. */
export function PlainAlert({ message, onClose }: { message?: ReactNode; onClose: () => void }) {
  useEffect(() => {
    window.alert(textOf(message))
    onClose()
  })
  return null
}

interface PlainConfirmProps {
  title: string
  message: ReactNode
  onYes: () => void
  onNo: () => void
}

/** A question without any of our code to load. */
export function PlainConfirm({ title, message, onYes, onNo }: PlainConfirmProps) {
  useEffect(() => {
    if (window.confirm(`${title}\n\n${textOf(message)}`)) onYes()
    else onNo()
  })
  return null
}
