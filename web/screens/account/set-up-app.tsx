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

/** Schema of the dialog: a code of the app. */
const schema = z.strictObject({ code: totpCode })

/** The begun setup and its results. */
interface Props {
  /** The setup that the server has begun: its secret, as a URL for apps too, and its ID. */
  begun: OutputOf<typeof beginTotp>
  /** True if the app replaces an existing one. */
  isReplacement: boolean
  /** Confirms the setup on the server with a code of the app. The dialog shows a refusal, SECOND_FACTOR_WRONG at the field. */
  confirm: (code: string, enrolment: string) => Promise<void>
  onClose: () => void
}

/**
 * Shows the dialog that sets up an authenticator app (rules/account#authenticator-app): the secret as a QR code
 * and as text, and a field for a code from the app. Its button calls `confirm`. For a replacement it warns that
 * the present app stops working.
 */
export function SetUpApp({ begun, isReplacement, confirm, onClose }: Props) {
  const t = useFactorTexts()
  const dialog = useDialogForm({
    schema,
    initial: { code: '' },
    mode: 'onSubmit',
    submit: ({ code }) => confirm(code, begun.enrolment),
    fieldOf: { SECOND_FACTOR_WRONG: 'code' },
    onClose,
  })
  return (
    <FormDialog
      {...dialog}
      title={isReplacement ? t.setUpAnew : t.setUp}
      submitLabel={t.confirm}
      isWide
      className={layout.stack}
    >
      <p>{t.scan}</p>
      {isReplacement && <p className={layout.warning}>{t.anewHint}</p>}
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

/** Returns the secret with a blank after every four characters, which is easier to read and type. */
const inGroups = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** Draws a text as a QR code in SVG, in this browser. */
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
