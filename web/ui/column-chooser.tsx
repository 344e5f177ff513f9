import { useRef } from 'react'
import { Button } from './button.tsx'
import { ColumnsIcon } from './icons.tsx'
import { useLazyPart } from './use-lazy-part.ts'

/** Loads the code of the list, which is large and rarely opened. */
const loadList = () => import('./column-list.tsx')

/** A column that the user can show or hide. */
export interface ChoosableColumn {
  key: string
  header: string
  isShown: boolean
  /** True if the column is always shown: its checkbox is checked and disabled. */
  isRequired?: boolean | undefined
}

interface ColumnChooserProps {
  /** Label of the button that opens the list. */
  label: string
  columns: readonly ChoosableColumn[]
  onChange: (key: string, isShown: boolean) => void
  resetLabel: string
  onReset: () => void
}

/**
 * Shows a button that opens a list of columns to tick, with a button that restores the default. Esc or a click outside
 * closes it. The list loads when the user opens it.
 */
export function ColumnChooser({ label, ...list }: ColumnChooserProps) {
  const { opened, open, forget, close } = useLazyPart(loadList)
  const trigger = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        ref={trigger}
        size="small"
        aria-haspopup="dialog"
        aria-expanded={opened !== undefined}
        onPointerEnter={() => void loadList().catch(() => {})}
        onFocus={() => void loadList().catch(() => {})}
        onBlur={forget}
        onClick={open}
      >
        <ColumnsIcon size={16} />
        {label}
      </Button>
      {opened !== undefined && <opened.ColumnList {...list} label={label} anchor={trigger} onClose={close} />}
    </>
  )
}
