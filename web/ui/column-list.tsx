import type { RefObject } from 'react'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import type { ChoosableColumn } from './column-chooser.tsx'
import styles from './column-chooser.module.css'
import { PopoverPanel } from './popover-panel.tsx'

interface Props {
  anchor: RefObject<HTMLElement | null>
  label: string
  columns: readonly ChoosableColumn[]
  onChange: (key: string, isShown: boolean) => void
  resetLabel: string
  onReset: () => void
  onClose: () => void
}

/** Shows the open list of a column chooser, in a popover under it. Its own module, because it is heavy. */
export function ColumnList({ anchor, label, columns, onChange, resetLabel, onReset, onClose }: Props) {
  return (
    <PopoverPanel anchor={anchor} label={label} onClose={onClose}>
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
    </PopoverPanel>
  )
}
