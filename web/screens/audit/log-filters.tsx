import { ChoiceFilter } from '../../forms/choice-filter.tsx'
import { fixedChoices, withAll } from '../../forms/choices.ts'
import { useDateTexts } from '../../forms/date-texts.ts'
import { usePortalMessages } from '../../language.tsx'
import { DatePresets } from '../../lists/date-presets.tsx'
import { FilterChips, type FilterNames } from '../../lists/filter-chips.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../lists/filter-form.tsx'
import type { Filters } from '../../lists/list-state.ts'
import { DateField } from '../../ui/date-field.tsx'
import { isDateOrEmpty } from '../../ui/dates.ts'
import { FilterBar } from '../../ui/form-grid.tsx'
import type { SelectOption } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** Longest text of a filter that the contract takes, in characters. */
const LONGEST = 100

/** A filter by a choice, if it has options, or by a text. */
interface LogFilter<Name extends string> {
  name: Name
  label: string
  placeholder?: string
  options?: readonly SelectOption[]
}

/** The filters of a log with their labels. */
interface Props<F extends Filters> {
  initial: F
  /** Filters that match every row. */
  none: F
  /** The filters of the first and the last day, with their labels. */
  period: readonly [from: LogFilter<keyof F & string>, to: LogFilter<keyof F & string>]
  /** The other filters in their order. */
  filters: readonly LogFilter<keyof F & string>[]
  onSearch: (filters: F) => void
}

/**
 * Shows the filters of the audit log or the access log. The button, or Enter in a field, searches; but not while a date
 * is invalid or the last day is before the first. A button for a period (`DatePresets`) and the reset search
 * immediately.
 */
export function LogFilters<F extends Filters>({
  initial,
  none,
  period,
  filters: others,
  onSearch,
}: Props<F>) {
  const { lists, validation } = usePortalMessages()
  const { filters, setFilters, bind, reset } = useFilters(initial)
  const dateTexts = useDateTexts()
  const [from, to] = period
  /** Returns whether the first day is not after the last; true if they are equal or one is missing. */
  function isInOrder(next: F): boolean {
    const [first = '', last = ''] = period.map(({ name }) => next[name])
    return first === '' || last === '' || first <= last
  }

  function search(next: F): void {
    if (period.every(({ name }) => isDateOrEmpty(next[name] ?? '')) && isInOrder(next)) onSearch(next)
  }

  const names = Object.fromEntries<FilterNames<F>[keyof F]>(
    [...period, ...others].map(({ name, label, options }) => [
      name,
      options === undefined ? [label] : [label, options],
    ]),
  ) as FilterNames<F>
  return (
    <FilterForm onSearch={() => search(filters)}>
      <FilterBar
        actions={
          <SearchButtons
            onReset={() => {
              reset(none)
              onSearch(none)
            }}
          />
        }
        below={
          <DatePresets
            onPick={(first, last) => {
              const next = { ...filters, [from.name]: first, [to.name]: last }
              setFilters(next)
              search(next)
            }}
          />
        }
      >
        <DateField {...dateTexts} label={from.label} {...bind(from.name)} />
        <DateField
          {...dateTexts}
          label={to.label}
          {...bind(to.name)}
          errorMessage={isInOrder(filters) ? undefined : validation.datesOutOfOrder}
        />
        {others.map(({ name, options, ...texts }) =>
          options === undefined ? (
            <TextField key={name} {...texts} {...bind(name)} maxLength={LONGEST} autoComplete="off" />
          ) : (
            <ChoiceFilter
              key={name}
              {...texts}
              choices={withAll(fixedChoices(options), lists.all)}
              {...bind(name)}
            />
          ),
        )}
      </FilterBar>
      <FilterChips filters={initial} fresh={none} names={names} onSearch={onSearch} />
    </FilterForm>
  )
}
