import { ALL } from '../../../../contract/common.ts'
import { COLLEAGUES_PER_PAGE, listColleagues } from '../../../../contract/users.ts'
import { query } from '../../../api/query.ts'
import { ChoiceFilter } from '../../../forms/choice-filter.tsx'
import { useAffiliations, withAll } from '../../../forms/choices.ts'
import { useAllTeamChoices } from '../../../forms/teams.ts'
import { usePortalMessages } from '../../../language.tsx'
import { FilterForm, SearchButtons, useFilters } from '../../../lists/filter-form.tsx'
import { defineList } from '../../../lists/use-list.ts'
import { Page } from '../../../ui/card.tsx'
import { FilterBar } from '../../../ui/form-grid.tsx'
import layout from '../../../ui/layout.module.css'
import { TextField } from '../../../ui/text-field.tsx'
import { ColleagueList } from './colleague-list.tsx'
import { useColleagueTexts } from './colleague-texts.ts'

/** Filters that find all colleagues. */
const NO_FILTERS = { keyword: '', affiliationCode: ALL, teamId: ALL }

/** Definition of the list at /colleague/search: filters, page size and query. */
const directory = defineList({
  path: '/colleague/search',
  filters: NO_FILTERS,
  perPage: COLLEAGUES_PER_PAGE,
  query: ({ filters, page }, perPage) => query(listColleagues, { ...filters, page, perPage }),
})

/** Prefetches the list for the URL. */
export const { load } = directory

/**
 * Shows the page /colleague/search (rules/colleagues#directory): filters and a list of all users who can log in today,
 * by name, with the data that they share.
 */
export default function Colleagues() {
  const { titles } = usePortalMessages()
  const list = directory.useList()
  const page = directory.usePage(list)
  return (
    <Page title={titles.colleagues}>
      <div className={layout.parts}>
        <Filters initial={list.filters} onSearch={page.submit} />
        <ColleagueList page={page} />
      </div>
    </Page>
  )
}

interface FiltersProps {
  initial: typeof NO_FILTERS
  onSearch: (filters: typeof NO_FILTERS) => void
}

/**
 * Shows the filters of the directory: keyword, affiliation and team. Enter or the button searches; reset searches
 * without filters.
 */
function Filters({ initial, onSearch }: FiltersProps) {
  const { fields, lists } = usePortalMessages()
  const { filters, bind, reset } = useFilters(initial)
  const affiliations = useAffiliations({ includeAll: true, isWhole: true })
  const teams = useAllTeamChoices({ includeAll: true })
  function clear(): void {
    reset(NO_FILTERS)
    onSearch(NO_FILTERS)
  }
  return (
    <FilterForm onSearch={() => onSearch(filters)}>
      <FilterBar actions={<SearchButtons onReset={clear} />}>
        <TextField
          label={useColleagueTexts().search.keyword}
          {...bind('keyword')}
          maxLength={100}
          autoComplete="off"
        />
        <ChoiceFilter label={fields.affiliationCode} choices={affiliations} {...bind('affiliationCode')} />
        <ChoiceFilter label={fields.teamId} choices={withAll(teams, lists.all)} {...bind('teamId')} />
      </FilterBar>
    </FilterForm>
  )
}
