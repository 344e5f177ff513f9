import { useRef, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { CheckIcon } from './icons.tsx'
import { Localized } from './localized.tsx'
import type { SelectOption } from './select-field.tsx'
import styles from './select-field.module.css'
import { classes } from './classes.ts'

interface Props {
  anchor: RefObject<HTMLElement | null>
  id: string
  labelId: string
  value: string
  options: readonly SelectOption[]
  emptyLabel: string
  /** The initial focus if no option is selected: an option, or the list itself. */
  focus: 'first' | 'last' | true
  onPick: (value: string) => void
  onClose: () => void
}

/** The open list of a select field, in a popover under it. Its own module, because it is heavy. */
export function SelectList(props: Props) {
  const { anchor, id, labelId, value, options, emptyLabel, focus, onPick, onClose } = props
  const list = useRef<HTMLDivElement>(null)

  function close() {
    const hasFocus = list.current?.contains(document.activeElement) === true
    flushSync(onClose)
    // Immediately: react-aria waits for a frame, and Tab pressed before that would start at the top of the page.
    if (hasFocus) anchor.current?.querySelector('button')?.focus()
  }

  return (
    <Localized>
      <Popover
        className={classes(styles.popover)}
        triggerRef={anchor}
        scrollRef={list}
        isOpen
        onOpenChange={close}
        placement="bottom start"
        offset={4}
        aria-labelledby={labelId}
      >
        <ListBox
          ref={list}
          id={id}
          aria-labelledby={labelId}
          className={classes(styles.list)}
          items={options.map((option) => ({ ...option, id: option.value }))}
          selectionMode="single"
          shouldSelectOnPressUp
          shouldFocusOnHover
          selectedKeys={options.some((option) => option.value === value) ? [value] : []}
          // Empty if the user selects the selected option again, which only closes the list.
          onSelectionChange={(keys) => {
            for (const key of keys) onPick(String(key))
            close()
          }}
          // The popover was opened for it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={focus}
          renderEmptyState={() => <div className={styles.empty}>{emptyLabel}</div>}
        >
          {(option) => (
            <ListBoxItem className={classes(styles.option)} textValue={option.label}>
              <span title={option.label}>{option.label}</span>
              <CheckIcon size={16} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Localized>
  )
}
