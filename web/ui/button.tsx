import type { ComponentProps, MouseEvent } from 'react'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Spinner } from './spinner.tsx'

/** Emphasis of a button: at most one `primary` per form. */
type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet'

/** Appearance of a button or of a link that looks like one. */
interface Look {
  /** Emphasis of the button; `secondary` by default. */
  variant?: ButtonVariant | undefined
  /** `small` for buttons in tables and next to the text of inputs. */
  size?: 'medium' | 'small' | undefined
  /** True for a square button with only an icon, which needs an `aria-label`. */
  isIcon?: boolean | undefined
  /** True to fill the width of the container. */
  isWide?: boolean | undefined
}

/** A native button's props (onClick, type, aria-label, ref…) and: */
interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'>, Look {
  isDisabled?: boolean | undefined
  /** True while work is running. The button keeps its width and focus but does nothing, and shows a spinner after 150 ms. */
  isPending?: boolean | undefined
}

/** Returns the CSS classes of a button's appearance. */
function classNames(
  { variant = 'secondary', size = 'medium', isIcon, isWide }: Look,
  className?: string,
): string {
  return classes(
    styles.button,
    styles[variant],
    size === 'small' && styles.small,
    isIcon && styles.icon,
    isWide && styles.wide,
    className,
  )
}

/** Renders a button, with `type="button"` by default. While it is pending, clicks neither call `onClick` nor submit. */
export function Button(props: ButtonProps) {
  const { variant, size, isIcon, isWide, isPending = false, isDisabled = false, ...rest } = props
  const { className, children, onClick, ...native } = rest

  function click(event: MouseEvent<HTMLButtonElement>) {
    // Pending instead of disabled, because a disabled button loses the keyboard focus.
    if (isPending) event.preventDefault()
    else onClick?.(event)
  }

  return (
    <button
      type="button"
      {...native}
      className={classNames({ variant, size, isIcon, isWide }, className)}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={click}
    >
      <span className={styles.label}>{children}</span>
      {isPending && (
        <span className={styles.spinner}>
          <Spinner size={18} />
        </span>
      )}
    </button>
  )
}

/** Properties of an anchor (href, onClick, target, ref…) and the appearance of a button. */
interface LinkButtonProps extends ComponentProps<'a'>, Look {}

/** Renders a link that looks like a button. `createLink(LinkButton)` makes it a link of the router. */
export function LinkButton({
  variant,
  size,
  isIcon,
  isWide,
  className,
  children,
  ...native
}: LinkButtonProps) {
  return (
    <a {...native} className={classNames({ variant, size, isIcon, isWide }, className)}>
      <span className={styles.label}>{children}</span>
    </a>
  )
}
