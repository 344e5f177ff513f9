import { useRef } from 'react'
import { CloseIcon } from '../ui/icons.tsx'
import layout from '../ui/layout.module.css'
import { SelectField, type SelectOption } from '../ui/select-field.tsx'
import { type Choices, useChoiceTexts } from './choices.ts'
import { ListFailed } from './list-error.tsx'
import styles from './multi-choice.module.css'

interface Props {
  label: string
  choices: Choices
  /** Options that are no longer offered. They only give chosen values their names. */
  kept?: readonly SelectOption[]
  values: readonly string[]
  /** Called with the sorted values. */
  onChange: (values: string[]) => void
  onBlur?: () => void
  /** Largest number of options that can be selected. */
  most: number
  /** Shown in the select without a value. */
  emptyText: string
  /** Shown in the select with values. */
  addText: string
  removeText: (name: string) => string
}

/**
 * Shows a select to choose up to `most` options from, one after another, and the chosen ones as buttons that
 * remove them. Does not offer chosen options again. If the list could not be loaded, shows a retry.
 */
export function MultiChoice(props: Props) {
  const { label, choices, kept = [], values, onChange, onBlur, most, emptyText, addText, removeText } = props
  const texts = useChoiceTexts(choices)
  const box = useRef<HTMLDivElement>(null)
  const named = [...choices.options, ...kept]
  const nameOf = (value: string) => named.find((option) => option.value === value)?.label ?? value

  /** Removes a chosen option. */
  function remove(value: string): void {
    onChange(values.filter((each) => each !== value))
    // The chip with the focus is removed, so move the focus back to the list.
    box.current?.querySelector('button')?.focus()
  }

  return (
    <div ref={box} className={styles.row}>
      <SelectField
        {...texts}
        label={label}
        placeholder={values.length === 0 ? emptyText : addText}
        value=""
        options={choices.options.filter(({ value }) => !values.includes(value))}
        isLoading={choices.isLoading}
        isDisabled={values.length >= most}
        description={choices.isFailed ? <ListFailed retry={choices.retry} /> : undefined}
        onChange={(value) => onChange([...values, value].toSorted())}
        onBlur={onBlur}
      />
      <ul className={styles.chips} aria-label={label}>
        {values.map((value) => (
          <li key={value}>
            <button
              type="button"
              className={styles.chip}
              title={nameOf(value)}
              aria-label={removeText(nameOf(value))}
              onClick={() => remove(value)}
            >
              <span className={layout.ellipsis}>{nameOf(value)}</span>
              <CloseIcon size={14} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
