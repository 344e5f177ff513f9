import { parseDate } from '@internationalized/date'
import type { RefObject } from 'react'
import { Button } from 'react-aria-components/Button'
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarMonthPicker,
  CalendarYearPicker,
} from 'react-aria-components/Calendar'
import { Dialog } from 'react-aria-components/Dialog'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Popover } from 'react-aria-components/Popover'
import { classes } from './classes.ts'
import styles from './date-calendar.module.css'
import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx'

/** Props of the calendar. Dates are YYYY-MM-DD; `onPick` is called before `onClose`. */
interface Props {
  anchor: RefObject<HTMLElement | null>
  label: string
  locale: string
  value: string | null
  min: string
  max: string
  onPick: (date: string) => void
  onClose: () => void
}

/** Options of the select for month or year. */
interface Picker {
  'aria-label': string
  value: string | number
  items: { id: number; formatted: string }[]
  onChange: (key: string | number | null) => void
}

/** Renders a native select for month or year: it offers hundreds of years without extra code. */
function picker({ 'aria-label': label, value, items, onChange }: Picker) {
  return (
    <select
      className={styles.picker}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {items.map((item) => (
        <option key={item.id} value={item.id}>
          {item.formatted}
        </option>
      ))}
    </select>
  )
}

/**
 * Shows the calendar of a date field, in a popover under `anchor`, with selects for month and year. A picked day calls
 * `onPick` and closes it; Esc or a click outside closes it. Its own module, because it is large.
 */
export default function DateCalendar({ anchor, label, locale, value, min, max, onPick, onClose }: Props) {
  const [first, last] = [parseDate(min), parseDate(max)]
  return (
    <I18nProvider locale={locale}>
      <Popover
        className={classes(styles.popover)}
        triggerRef={anchor}
        isOpen
        onOpenChange={onClose}
        placement="bottom start"
        offset={4}
      >
        <Dialog aria-label={label} className={classes(styles.dialog)}>
          <Calendar
            aria-label={label}
            className={classes(styles.calendar)}
            // The popover was opened for it.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            value={value === null ? null : parseDate(value)}
            minValue={first}
            maxValue={last}
            onChange={(date) => {
              onPick(date.toString())
              onClose()
            }}
          >
            <header className={styles.header}>
              <Button slot="previous" className={classes(styles.turn)}>
                <ChevronLeftIcon size={18} />
              </Button>
              <CalendarYearPicker visibleYears={last.year - first.year + 1}>{picker}</CalendarYearPicker>
              <CalendarMonthPicker>{picker}</CalendarMonthPicker>
              <Button slot="next" className={classes(styles.turn)}>
                <ChevronRightIcon size={18} />
              </Button>
            </header>
            <CalendarGrid weekdayStyle="short" className={classes(styles.grid)}>
              <CalendarGridHeader>
                {(day) => <CalendarHeaderCell className={classes(styles.weekday)}>{day}</CalendarHeaderCell>}
              </CalendarGridHeader>
              <CalendarGridBody>
                {(date) => (
                  // CSS draws the number: the cell is labeled with the whole date, and a separate '2' would be confusing.
                  <CalendarCell date={date} className={classes(styles.cell)}>
                    {({ formattedDate }) => <span className={styles.day} data-day={formattedDate} />}
                  </CalendarCell>
                )}
              </CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </I18nProvider>
  )
}
