import type { RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { classes } from './classes.ts'
import type { ChoosableColumn } from './column-chooser.tsx'
import styles from './column-chooser.module.css'
import { Localized } from './localized.tsx'

interface Props {
  anchor: RefObject<HTMLElement | null>
  label: string
  columns: readonly ChoosableColumn[]
  onChange: (key: string, isShown: boolean) => void
  resetLabel: string
  onReset: () => void
  onClose: () => void
}

/** The open list of a column chooser, in a popover under it. Its own module, because it is heavy. */
export function ColumnList({ anchor, label, columns, onChange, resetLabel, onReset, onClose }: Props) {
  return (
    <Localized>
      <Popover
        className={classes(styles.popover)}
        triggerRef={anchor}
        isOpen
        onOpenChange={onClose}
        placement="bottom end"
        offset={4}
      >
        <Dialog className={classes(styles.dialog)} aria-label={label}>
          <fieldset className={styles.columns} aria-label={label}>
            {columns.map(({ key, header, isShown, isRequired }) => (
              <Checkbox
                key={key}
                label={header}
                value={isShown}
                isDisabled={isRequired}
                onChange={(value) => onChange(key, value)}
              />
            ))}
          </fieldset>
          <Button variant="quiet" size="small" onClick={onReset}>
            {resetLabel}
          </Button>
        </Dialog>
      </Popover>
    </Localized>
  )
}
