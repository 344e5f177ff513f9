import { useRef, type Ref } from 'react'
import { Button } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select, SelectValue } from 'react-aria-components/Select'
import { Field, type FieldProps } from './field.tsx'
import { CheckIcon, ChevronDownIcon } from './icons.tsx'
import input from './input.module.css'
import styles from './select-field.module.css'
import { Spinner } from './spinner.tsx'
import { classes } from './classes.ts'

/** One thing to choose. */
export interface SelectOption {
  value: string
  label: string
}

/** One choice out of a list. Fits react-hook-form's Controller like TextField. */
export interface SelectFieldProps extends FieldProps {
  /** The chosen option's value; '' while nothing is chosen. */
  value: string
  onChange: (value: string) => void
  options: readonly SelectOption[]
  /** Shown while nothing is chosen. */
  placeholder: string
  /** Shown in the list when there are no options. */
  emptyLabel: string
  /** The options are on their way: the field waits and says so in place of the placeholder. */
  isLoading?: boolean | undefined
  loadingLabel?: string | undefined
  /** Shown when `value` is not among the options, e.g. a code that no longer exists. */
  fallbackLabel?: string | undefined
  /** The button that opens the list, so that a form can put the focus on its first error. */
  ref?: Ref<HTMLButtonElement> | undefined
}

/** A labelled drop-down list, complete by keyboard (arrows, Home/End, typing the first letters). */
export function SelectField(props: SelectFieldProps) {
  const { value, onChange, options, placeholder, emptyLabel, onBlur, name, ref } = props
  const { isLoading = false, loadingLabel, fallbackLabel, isReadOnly, isDisabled } = props
  const box = useRef<HTMLDivElement>(null)
  const chosen = options.find((option) => option.value === value)
  const shown = chosen?.label ?? (value !== '' ? fallbackLabel : undefined)
  const waiting = isLoading ? (loadingLabel ?? placeholder) : placeholder

  return (
    <Field {...props} onLabelClick={() => box.current?.querySelector('button')?.focus()}>
      {({ labelId, messageId, isInvalid }) => (
        <Select
          ref={box}
          className={classes(styles.select)}
          aria-labelledby={labelId}
          {...(messageId ? { 'aria-describedby': messageId } : {})}
          {...(name ? { name } : {})}
          placeholder={waiting}
          value={chosen ? value : null}
          onChange={(key) => onChange(key === null ? '' : String(key))}
          onBlur={() => onBlur?.()}
          isInvalid={isInvalid}
          isDisabled={isDisabled === true || isReadOnly === true || isLoading}
          allowsEmptyCollection
        >
          <Button {...(ref ? { ref } : {})} className={classes(input.box, styles.button)}>
            <SelectValue className={classes(styles.value, shown === undefined && styles.placeholder)}>
              <span title={shown}>{shown ?? waiting}</span>
            </SelectValue>
            <span className={styles.arrow}>
              {isLoading ? <Spinner size={16} /> : <ChevronDownIcon size={16} />}
            </span>
          </Button>
          <Popover className={classes(styles.popover)} offset={4}>
            <ListBox
              className={classes(styles.list)}
              items={options.map((option) => ({ ...option, id: option.value }))}
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
        </Select>
      )}
    </Field>
  )
}
