import { encodeQR } from 'qr'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { type beginTotp, totpCode } from '../../../contract/account/second-factor.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import { useFactorTexts } from './factor-texts.ts'
import styles from './factors.module.css'

const schema = z.strictObject({ code: totpCode })

interface Props {
  begun: OutputOf<typeof beginTotp>
  /** True if the app replaces an existing one. */
  isAnew: boolean
  /** Confirms the setup with a code of the app; the dialog shows its refusals. */
  act: (code: string, enrolment: string) => Promise<void>
  onClose: () => void
}

/**
 * Shows the dialog that sets up an authenticator app (rules/account#authenticator-app): the secret as a QR code and as
 * text, and a field for a code from the app.
 */
export function SetUpApp({ begun, isAnew, act, onClose }: Props) {
  const t = useFactorTexts()
  const dialog = useDialogForm({
    schema,
    initial: { code: '' },
    mode: 'onSubmit',
    submit: ({ code }) => act(code, begun.enrolment),
    fieldOf: { SECOND_FACTOR_WRONG: 'code' },
    onClose,
  })
  return (
    <FormDialog
      {...dialog}
      title={isAnew ? t.setUpAnew : t.setUp}
      submitLabel={t.confirm}
      isWide
      className={layout.stack}
    >
      <p>{t.scan}</p>
      {isAnew && <p className={layout.warning}>{t.anewHint}</p>}
      <div className={styles.app}>
        <QrCode text={begun.otpauth} label={t.qr} />
        <div className={layout.stack}>
          <FactList facts={[[t.secret, inGroups(begun.secret)]]} />
          <BoundText
            name="code"
            label={t.code}
            isRequired
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
          />
        </div>
      </div>
    </FormDialog>
  )
}

/** Divides the secret into groups of four, which are easier to read and type. */
const inGroups = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** Draws a text as a QR code. */
function QrCode({ text, label }: { text: string; label: string }) {
  const [size, path] = useMemo(() => {
    const rows = encodeQR(text, 'raw', { border: 4 })
    const dots = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return [rows.length, dots.join('')]
  }, [text])
  return (
    <svg
      // Drawn by its path, not fetched.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={label}
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
