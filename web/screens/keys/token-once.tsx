import { useSecretOnce } from '../../forms/use-secret-once.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** The secret and its texts. */
interface Props {
  title: string
  /** Text above the field. */
  lead: string
  label: string
  token: string
  onClose: () => void
}

/**
 * Shows a new token or secret, to copy, once: closing the dialog, which asks first until it was copied, discards it.
 */
export function TokenOnce({ title, lead, label, token, onClose }: Props) {
  const { forms } = usePortalMessages()
  const { copy, close } = useSecretOnce(token, onClose)
  return (
    <Dialog
      title={title}
      width="wide"
      onClose={close}
      footer={
        <>
          <Button onClick={copy}>{forms.copy}</Button>
          <Button variant="primary" onClick={close}>
            {forms.close}
          </Button>
        </>
      }
    >
      <div className={layout.stack}>
        <p>{lead}</p>
        <TextField label={label} value={token} onChange={() => {}} isReadOnly />
      </div>
    </Dialog>
  )
}
