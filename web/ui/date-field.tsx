import { lazy, Suspense, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { MAX_DATE, MIN_DATE, readDate } from './dates.ts'
import { Field, type FieldProps } from './field.tsx'
import { CalendarIcon } from './icons.tsx'
import input from './input.module.css'

/** Loads the calendar, which is several times the size of the field: users type most dates. */
const loadCalendar = () => import('./date-calendar.tsx')
const DateCalendar = lazy(loadCalendar)

/** Props of a field for a date, typed or picked. Fits react-hook-form's Controller like TextField. */
export interface DateFieldProps extends FieldProps {
  /** 'YYYY-MM-DD', '' if empty, or the typed text if it is no date. */
  value: string
  /**
   * Called with the text while the user types, and with YYYY-MM-DD once it is a date (on blur and on Enter). Text that is no date
   * is passed unchanged, so that the form's schema rejects it too.
   */
  onChange: (value: string) => void
  /** Shown after leaving the field with something that is no date within the bounds. */
  invalidMessage: string
  /** Language of the calendar, e.g. 'ko-KR'. */
  locale: string
  /** Name of the button that opens the calendar, and of the calendar. */
  calendarLabel: string
  /** First date that the field accepts; 1900-01-01 by default. */
  min?: string | undefined
  /** Last date that the field accepts; 2099-12-31 by default. */
  max?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/**
 * Shows a text field for a date, with a button that opens a calendar (also Alt+ArrowDown). Accepts the forms of
 * `readDate` and converts them to YYYY-MM-DD on blur and on Enter. Never changes what the user typed to another day.
 */
export function DateField(props: DateFieldProps) {
  const { value, onChange, invalidMessage, locale, calendarLabel, onBlur, ref } = props
  const { min = MIN_DATE, max = MAX_DATE, isDisabled, isReadOnly } = props
  const [isTyping, setTyping] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  const date = readDate(value, min, max)
  const isWrong = !isTyping && value !== '' && date === null

  /** Ends typing, and passes the date on as YYYY-MM-DD if the text is one. */
  function settle() {
    setTyping(false)
    if (date !== null && date !== value) onChange(date)
  }

  function keyDown(event: KeyboardEvent) {
    // Before the form is submitted by this very key.
    if (event.key === 'Enter') settle()
    if (event.key === 'ArrowDown' && event.altKey && !isReadOnly) {
      event.preventDefault()
      setOpen(true)
    }
  }

  return (
    <Field {...props} errorMessage={isWrong ? invalidMessage : props.errorMessage}>
      {({ native }) => (
        <span ref={box} className={input.box}>
          <input
            {...native}
            ref={ref}
            className={input.input}
            value={value}
            placeholder="YYYY-MM-DD"
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            onChange={(event) => {
              setTyping(true)
              onChange(event.target.value)
            }}
            onKeyDown={keyDown}
            onBlur={() => {
              settle()
              onBlur?.()
            }}
          />
          <button
            type="button"
            className={input.inner}
            aria-label={`${props.label} ${calendarLabel}`}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            disabled={isDisabled === true || isReadOnly === true}
            onPointerEnter={() => void loadCalendar()}
            onFocus={() => void loadCalendar()}
            onClick={() => setOpen(true)}
          >
            <CalendarIcon size={18} />
          </button>
          {isOpen && (
            <Suspense>
              <DateCalendar
                anchor={box}
                label={`${props.label} ${calendarLabel}`}
                locale={locale}
                value={date}
                min={min}
                max={max}
                onPick={(picked) => {
                  setTyping(false)
                  onChange(picked)
                }}
                onClose={() => setOpen(false)}
              />
            </Suspense>
          )}
        </span>
      )}
    </Field>
  )
}
