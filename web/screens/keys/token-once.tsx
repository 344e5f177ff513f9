import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { TextField } from '../../ui/text-field.tsx'
import layout from '../../ui/layout.module.css'
import { useTokenTexts } from './token-texts.ts'

interface Props {
  title: string
  token: string
  onClose: () => void
}

/** Shows a new token once. Closing the dialog discards it. */
export function TokenOnce({ title, token, onClose }: Props) {
  const t = useTokenTexts()
  const { forms } = usePortalMessages()

  async function copy(): Promise<void> {
    // Without TLS a browser gives pages no clipboard. The user can select the text instead.
    const isCopied = await navigator.clipboard?.writeText(token).then(
      () => true,
      () => false,
    )
    await dialogs.alert(
      isCopied ? { tone: 'success', message: t.copied } : { tone: 'info', message: t.copyFailed },
    )
  }

  return (
    <Dialog
      title={title}
      width="wide"
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => void copy()}>{t.copy}</Button>
          <Button variant="primary" onClick={onClose}>
            {forms.close}
          </Button>
        </>
      }
    >
      <div className={layout.stack}>
        <p>{t.once}</p>
        <TextField label={t.token} value={token} onChange={() => {}} isReadOnly />
      </div>
    </Dialog>
  )
}
