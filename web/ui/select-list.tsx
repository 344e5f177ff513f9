import { useRef, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Input, SearchField } from 'react-aria-components/SearchField'
import { CheckIcon } from './icons.tsx'
import { LocaleProvider } from './localized.tsx'
import type { SelectOption } from './select-field.tsx'
import input from './input.module.css'
import styles from './select-field.module.css'
import { classes } from './classes.ts'

/** Number of options from which the list has a search field. */
const SEARCHED_FROM = 20

interface Props {
  anchor: RefObject<HTMLElement | null>
  id: string
  labelId: string
  value: string
  options: readonly SelectOption[]
  emptyLabel: string
  /** Label of the search field of a long list (rules/frame#long-lists). */
  searchLabel: string
  /** The initial focus if no option is selected: an option, or the list itself. */
  focus: 'first' | 'last' | true
  onPick: (value: string) => void
  onClose: () => void
}

/**
 * Shows the open list of a select field, in a popover under it. A choice, also of the selected option, closes it. Its
 * own module, because it is large.
 */
export function SelectList(props: Props) {
  const { anchor, id, labelId, value, options, emptyLabel, searchLabel, focus, onPick, onClose } = props
  const list = useRef<HTMLDivElement>(null)
  const popover = useRef<HTMLElement>(null)
  const isSearched = options.length >= SEARCHED_FROM

  function close() {
    const hasFocus = popover.current?.contains(document.activeElement) === true
    flushSync(onClose)
    // Immediately: react-aria waits for a frame, and Tab pressed before that would start at the top of the page.
    if (hasFocus) anchor.current?.querySelector('button')?.focus()
  }

  return (
    <LocaleProvider>
      <Popover
        ref={popover}
        className={classes(styles.popover)}
        triggerRef={anchor}
        scrollRef={list}
        isOpen
        onOpenChange={close}
        placement="bottom start"
        offset={4}
        aria-labelledby={labelId}
      >
        <Searched label={isSearched ? searchLabel : undefined} listId={id}>
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
            autoFocus={isSearched ? false : focus}
            renderEmptyState={() => <div className={styles.empty}>{emptyLabel}</div>}
          >
            {(option) => (
              <ListBoxItem
                className={classes(styles.option)}
                textValue={option.label}
                data-depth={option.depth}
              >
                <span title={option.label}>{option.label}</span>
                <CheckIcon size={16} />
              </ListBoxItem>
            )}
          </ListBox>
        </Searched>
      </Popover>
    </LocaleProvider>
  )
}

/** A list and the label of its search field. */
interface SearchedProps {
  label: string | undefined
  listId: string
  children: ReactNode
}

/**
 * Shows a search field above a list. The list then shows the options that contain the typed text anywhere, in upper or
 * lower case. Without a label there is no search field.
 */
function Searched({ label, listId, children }: SearchedProps) {
  const { contains } = useFilter({ sensitivity: 'base' })
  if (label === undefined) return children
  return (
    <Autocomplete filter={contains}>
      {/* The popover was opened for it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <SearchField aria-label={label} autoFocus className={classes(styles.search)}>
        <Input
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select opens by itself
          role="combobox"
          aria-expanded
          aria-controls={listId}
          className={classes(input.box)}
          placeholder={label}
        />
      </SearchField>
      {children}
    </Autocomplete>
  )
}
