import { saveContent } from '../../api/save-content.ts'
import { usePortalNames } from '../../frame/portal-names.ts'
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

/** Shows recovery codes, once: closing the dialog forgets them (rules/account#recovery-codes). */
export function RecoveryCodes({ codes, onClose }: Props) {
  const t = useFactorTexts()
  const { forms } = usePortalMessages()
  const { company } = usePortalNames()
  const userId = sessionUserId() ?? ''

  function save(): void {
    const text = [t.fileHead(company, userId), '', ...codes, ''].join('\r\n')
    // With its mark, so that every editor reads it as UTF-8.
    saveContent(new Blob(['\ufeff', text], { type: 'text/plain;charset=utf-8' }), t.fileName(userId))
  }

  return (
    <Dialog
      title={t.codes}
      width="wide"
      closeLabel={forms.close}
      onClose={onClose}
      footer={
        <>
          <Button className={layout.onScreen} onClick={save}>
            {t.save}
          </Button>
          <Button className={layout.onScreen} onClick={() => window.print()}>
            {t.print}
          </Button>
          <Button className={layout.onScreen} variant="primary" onClick={onClose}>
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
