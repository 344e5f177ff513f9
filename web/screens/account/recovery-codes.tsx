import { saveContent } from '../../api/download.ts'
import { useSecretOnce } from '../../forms/use-secret-once.ts'
import { usePortalNames } from '../../layout/portal-names.ts'
import { usePortalMessages } from '../../language.tsx'
import { sessionUserId } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { useFactorTexts } from './factor-texts.ts'
import styles from './factors.module.css'

interface Props {
  codes: readonly string[]
  onClose: () => void
}

/**
 * Shows recovery codes once, with buttons to copy, save as a text file and print them: the page has them only while the
 * dialog is open (rules/account#recovery-codes). Closing asks first until the user has used one of these.
 */
export function RecoveryCodes({ codes, onClose }: Props) {
  const t = useFactorTexts()
  const { forms } = usePortalMessages()
  const { company } = usePortalNames()
  const userId = sessionUserId() ?? ''

  const text = [t.fileHead(company, userId), '', ...codes, ''].join('\r\n')
  const { copy, close, keep } = useSecretOnce(text, onClose)

  function save(): void {
    // With its mark, so that every editor reads it as UTF-8.
    saveContent(new Blob(['\ufeff', text], { type: 'text/plain;charset=utf-8' }), t.fileName(userId))
    keep()
  }

  function print(): void {
    window.print()
    keep()
  }

  return (
    <Dialog
      title={t.codes}
      width="wide"
      closeLabel={forms.close}
      onClose={close}
      footer={
        <>
          <Button className={layout.onScreen} onClick={copy}>
            {forms.copy}
          </Button>
          <Button className={layout.onScreen} onClick={save}>
            {t.save}
          </Button>
          <Button className={layout.onScreen} onClick={print}>
            {t.print}
          </Button>
          <Button className={layout.onScreen} variant="primary" onClick={close}>
            {forms.close}
          </Button>
        </>
      }
    >
      <div className={layout.stack} data-recovery-codes="">
        <p className={layout.onScreen}>{t.once}</p>
        <p className={layout.quiet}>{t.fileHead(company, userId)}</p>
        <ol className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
    </Dialog>
  )
}
