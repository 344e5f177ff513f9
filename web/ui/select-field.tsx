import { useId, useRef, type KeyboardEvent, type Ref } from 'react'
import { classes } from './classes.ts'
import { Field, type FieldProps } from './field.tsx'
import { ChevronDownIcon } from './icons.tsx'
import input from './input.module.css'
import styles from './select-field.module.css'
import { Spinner } from './spinner.tsx'
import { useLazyPart } from './use-lazy-part.ts'
import { useTypeAhead } from './use-type-ahead.ts'

/** Loads the list, which is ten times the size of the field, when the field is hovered or focused, before it opens. */
const loadList = () => import('./select-list.tsx')

/** An option of a select. */
export interface SelectOption {
  value: string
  label: string
  /** Number of options above this one in a tree. */
  depth?: number | undefined
}

/** Props of a select with one choice. Fits react-hook-form's Controller like TextField. */
export interface SelectFieldProps extends FieldProps {
  /** The value of the selected option; '' if none is selected. */
  value: string
  onChange: (value: string) => void
  options: readonly SelectOption[]
  /** Shown while no option is selected. */
  placeholder: string
  /** Shown in the list when there are no options. */
  emptyLabel: string
  /** Label of the search field of a long list. */
  searchLabel: string
  /** True while the options are loading. The placeholder then says so. */
  isLoading?: boolean | undefined
  loadingLabel?: string | undefined
  /** Shown when a value other than '' is not among the options, e.g. a code that no longer exists. */
  fallbackLabel?: string | undefined
  /** The button that opens the list, so that a form can put the focus on its first error. */
  ref?: Ref<HTMLButtonElement> | undefined
}

/**
 * Shows a labeled drop-down list, whose code loads when it opens. By keyboard, up, down, Enter and Space open it; left,
 * right and typed letters choose without opening it.
 */
export function SelectField(props: SelectFieldProps) {
  const { value, onChange, options, placeholder, emptyLabel, searchLabel, onBlur, ref } = props
  const { isLoading = false, loadingLabel, fallbackLabel, isReadOnly, isDisabled } = props
  const list = useLazyPart(loadList)
  const focus = useRef<'first' | 'last' | true>(true)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const valueId = `${id}-value`
  const isUnusable = isDisabled === true || isReadOnly === true || isLoading
  const chosen = options.find((option) => option.value === value)
  const shown = chosen?.label ?? (value !== '' ? fallbackLabel : undefined)
  const waiting = isLoading ? (loadingLabel ?? placeholder) : placeholder
  const typeAhead = useTypeAhead(options, onChange)

  /**
   * Opens the list, with the focus on the selected option.
   * @param at the focus if no option is selected: the first option, the last, or the list itself (`true`)
   */
  function open(at: 'first' | 'last' | true) {
    focus.current = at
    list.open()
  }

  /**
   * Handles a key on the closed field: up, down, Enter and Space open the list; left, right and typed letters choose.
   * Keys that are shortcuts of the browser do nothing here.
   */
  function keyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') list.forget()
    const { altKey, ctrlKey, metaKey, shiftKey } = event
    const isVertical = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    // Leave shortcuts of the browser alone, such as back and forward. Alt with up or down opens a list on every platform.
    if (isUnusable || ctrlKey || metaKey || shiftKey || (altKey && !isVertical)) return
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (isVertical) {
      open(event.key === 'ArrowDown' ? 'first' : 'last')
    } else if (step !== undefined) {
      const next = chosen === undefined ? options[0] : options[options.indexOf(chosen) + step]
      if (next !== undefined) onChange(next.value)
    } else if (!typeAhead(event)) {
      if (event.key !== 'Enter' && event.key !== ' ') return
      // Do not rely on the click that the key causes: react-aria treats it as a screen reader's and leaves the focus on the list.
      if (!event.repeat) open('first')
    }
    event.preventDefault()
  }

  return (
    <Field {...props} onLabelClick={() => box.current?.querySelector('button')?.focus()}>
      {({ labelId, messageId, isInvalid }) => (
        <div ref={box} className={classes(styles.select)} data-invalid={isInvalid || undefined}>
          <button
            ref={ref}
            type="button"
            className={classes(input.box, styles.button)}
            disabled={isUnusable}
            aria-haspopup="listbox"
            aria-expanded={list.opened !== undefined}
            aria-controls={list.opened && `${id}-list`}
            aria-labelledby={`${valueId} ${labelId}`}
            aria-describedby={messageId}
            onPointerEnter={() => void loadList().catch(() => {})}
            onFocus={() => void loadList().catch(() => {})}
            onBlur={() => {
              list.forget()
              if (list.opened === undefined) onBlur?.()
            }}
            onKeyDown={keyDown}
            onClick={(event) => {
              // Safari does not focus a clicked button, and the focus returns here when the list closes.
              event.currentTarget.focus()
              // A key that clicks counts no clicks.
              open(event.detail === 0 ? 'first' : true)
            }}
          >
            <span id={valueId} className={classes(styles.value, shown === undefined && styles.placeholder)}>
              <span title={shown}>{shown ?? waiting}</span>
            </span>
            <span className={styles.arrow}>
              {isLoading ? <Spinner size={16} /> : <ChevronDownIcon size={16} />}
            </span>
          </button>
          {list.opened !== undefined && (
            <list.opened.SelectList
              anchor={box}
              id={`${id}-list`}
              labelId={labelId}
              value={value}
              options={options}
              emptyLabel={emptyLabel}
              searchLabel={searchLabel}
              focus={focus.current}
              onPick={onChange}
              onClose={list.close}
            />
          )}
        </div>
      )}
    </Field>
  )
}
