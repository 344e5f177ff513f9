import { useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { classes } from './classes.ts'
import styles from './column-chooser.module.css'
import { ColumnsIcon } from './icons.tsx'

/** One column to choose. */
interface ChoosableColumn {
  key: string
  header: string
  isShown: boolean
  /** Always shown: its box is ticked and cannot be changed. */
  isRequired?: boolean | undefined
}

interface ColumnChooserProps {
  /** What the button that opens it is called. */
  label: string
  columns: readonly ChoosableColumn[]
  onChange: (key: string, isShown: boolean) => void
  resetLabel: string
  onReset: () => void
}

/** A button that opens a list of columns to tick; Esc and a click beside it close it. */
export function ColumnChooser({ label, columns, onChange, resetLabel, onReset }: ColumnChooserProps) {
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        ref={trigger}
        size="small"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <ColumnsIcon size={16} />
        {label}
      </Button>
      <Popover
        className={classes(styles.popover)}
        triggerRef={trigger}
        isOpen={isOpen}
        onOpenChange={setOpen}
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
    </>
  )
}
