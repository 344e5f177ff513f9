import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
import { rememberOpener, type AlertOptions, type AlertTone, type ConfirmOptions } from './dialogs.ts'
import { CheckCircleIcon, CloseIcon, InfoIcon, WarningIcon, type Icon } from './icons.tsx'

/** Size, role and labels of a modal. */
interface FrameProps {
  width: 'small' | 'default' | 'wide' | 'window'
  role?: 'alertdialog'
  labelledBy: string
  describedBy?: string | undefined
  isDismissable: boolean
  onClose: () => void
  children: ReactNode
}

/** Ignores a key that was pressed before the dialog opened and is still held down. */
function ignoreRepeat(event: KeyboardEvent) {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

/**
 * Renders the modal of all dialogs. It moves the focus to `[data-first-focus]`, else to the first input, and remembers
 * the element to which the focus returns.
 */
function Frame({ width, role, labelledBy, describedBy, isDismissable, onClose, children }: FrameProps) {
  const ref = useRef<HTMLElement>(null)
  // Read before the dialog takes the focus.
  const [opener] = useState(() => document.activeElement)

  useEffect(() => {
    const dialog = ref.current
    if (dialog !== null) rememberOpener(dialog, opener)
    const find = (what: string) => dialog?.querySelector<HTMLElement>(what)
    const focusFirst = () => (find('[data-first-focus]') ?? find('input:enabled, textarea:enabled'))?.focus()
    // After react-aria has put the focus on the dialog itself: above another dialog, autofocus alone is undone.
    focusFirst()
    if (role !== 'alertdialog') return
    // A visible loading overlay makes the button inert. The dialog itself receives the focus when the overlay disappears.
    const passOn = (event: FocusEvent) => event.target === dialog && focusFirst()
    dialog?.addEventListener('focusin', passOn)
    return () => dialog?.removeEventListener('focusin', passOn)
  }, [role, opener])

  return (
    <ModalOverlay
      className={classes(styles.backdrop)}
      isOpen
      onOpenChange={onClose}
      isKeyboardDismissDisabled={!isDismissable}
    >
      <Modal className={classes(styles.modal, styles[width])}>
        <AriaDialog
          ref={ref}
          {...(role ? { role } : {})}
          aria-labelledby={labelledBy}
          {...(describedBy ? { 'aria-describedby': describedBy } : {})}
          className={classes(styles.dialog)}
        >
          <>{children}</>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Props of a dialog with its own content. Render it only while it is open. */
export interface DialogProps {
  title: string
  onClose: () => void
  /** Label of the close button in its corner. Without a label there is no button. */
  closeLabel?: string | undefined
  /** `wide` is 800 px. `window` is as wide as its content, up to the width of the window. */
  width?: 'default' | 'wide' | 'window' | undefined
  /** Whether Esc and the close button work; true by default. If false, there is no close button. */
  isDismissable?: boolean | undefined
  /** True for a dialog that opens by itself. Screen readers announce its whole text immediately. */
  isUrgent?: boolean | undefined
  /** Buttons at the bottom right. A form may bring its own `FormActions` inside children instead. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * Shows a modal dialog. It keeps the focus inside, closes with Esc unless it is not dismissable, and then restores the
 * focus.
 */
export function Dialog(props: DialogProps) {
  const {
    title,
    onClose,
    closeLabel,
    width = 'default',
    isDismissable = true,
    isUrgent,
    footer,
    children,
  } = props
  const id = useId()
  return (
    <Frame
      width={width}
      {...(isUrgent === true && { role: 'alertdialog', describedBy: `${id}-body` })}
      labelledBy={id}
      isDismissable={isDismissable}
      onClose={onClose}
    >
      <header className={styles.header}>
        <h2 id={id}>{title}</h2>
        {closeLabel !== undefined && isDismissable && (
          <Button variant="quiet" size="small" isIcon aria-label={closeLabel} onClick={onClose}>
            <CloseIcon />
          </Button>
        )}
      </header>
      <div id={`${id}-body`} className={styles.body}>
        {children}
      </div>
      {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
    </Frame>
  )
}

/** Icons of the tones. */
const toneIcons: Record<AlertTone, Icon> = { warning: WarningIcon, info: InfoIcon, success: CheckCircleIcon }

/** Props of an alert: its options and the label of its button. */
export interface AlertDialogProps extends AlertOptions {
  confirmLabel: string
  onClose: () => void
}

/**
 * Shows an alert with an icon by its tone and one button; Esc closes it, too. Mostly opened through `dialogs.alert`.
 */
export function AlertDialog({ message, title, tone = 'warning', confirmLabel, onClose }: AlertDialogProps) {
  const id = useId()
  const messageId = `${id}-message`
  const ToneIcon = toneIcons[tone]
  return (
    <Frame
      width="small"
      role="alertdialog"
      labelledBy={title === undefined ? messageId : id}
      describedBy={title === undefined ? undefined : messageId}
      isDismissable
      onClose={onClose}
    >
      <div className={styles.alert}>
        <span className={classes(styles.tone, styles[tone])}>
          <ToneIcon size={30} />
        </span>
        {title !== undefined && <h2 id={id}>{title}</h2>}
        <div id={messageId} className={styles.message}>
          {message}
        </div>
        <button
          type="button"
          className={styles.confirm}
          data-first-focus
          onKeyDown={ignoreRepeat}
          onClick={onClose}
        >
          {confirmLabel}
        </button>
      </div>
    </Frame>
  )
}

/** Props of a yes-or-no question. */
export interface ConfirmDialogProps extends ConfirmOptions {
  yesLabel: string
  noLabel: string
  onYes: () => void
  onNo: () => void
  /** True while the confirmed action is running. The dialog stays until the caller closes it. */
  isPending?: boolean | undefined
}

/**
 * Shows a question with a yes and a no button; Esc means no. Yes does nothing while `mayConfirm` returns false. Usually
 * opened through `dialogs.confirm`.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, message, yesLabel, noLabel, onYes, onNo, isDanger = false, isPending = false } = props
  const mayConfirm = props.mayConfirm ?? (() => true)
  const id = useId()
  return (
    <Frame
      width="small"
      role="alertdialog"
      labelledBy={id}
      describedBy={`${id}-message`}
      isDismissable={!isPending}
      onClose={onNo}
    >
      <header className={styles.header}>
        <h2 id={id}>{title}</h2>
      </header>
      <div id={`${id}-message`} className={classes(styles.body, styles.message)}>
        {message}
      </div>
      <footer className={styles.footer}>
        <Button
          data-first-focus={isDanger || undefined}
          onKeyDown={ignoreRepeat}
          isDisabled={isPending}
          onClick={onNo}
        >
          {noLabel}
        </Button>
        <Button
          variant={isDanger ? 'danger' : 'primary'}
          data-first-focus={!isDanger || undefined}
          onKeyDown={ignoreRepeat}
          isPending={isPending}
          onClick={() => mayConfirm() && onYes()}
        >
          {yesLabel}
        </Button>
      </footer>
    </Frame>
  )
}
