import type { ReactNode, RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { classes } from './classes.ts'
import { LocaleProvider } from './localized.tsx'
import styles from './popover-panel.module.css'

interface Props {
  /** The button under which the panel opens. */
  anchor: RefObject<HTMLElement | null>
  label: string
  /** The edge that is aligned with the button's; the right edge by default. */
  align?: 'start' | 'end'
  onClose: () => void
  children: ReactNode
}

/**
 * Shows a panel in a popover under a button. Esc or a click outside closes it. The code is large, so load it only when
 * the panel opens.
 */
export function PopoverPanel({ anchor, label, align = 'end', onClose, children }: Props) {
  return (
    <LocaleProvider>
      <Popover
        className={classes(styles.popover)}
        triggerRef={anchor}
        isOpen
        onOpenChange={onClose}
        placement={`bottom ${align}`}
        offset={4}
      >
        <Dialog className={classes(styles.dialog)} aria-label={label}>
          {children}
        </Dialog>
      </Popover>
    </LocaleProvider>
  )
}
