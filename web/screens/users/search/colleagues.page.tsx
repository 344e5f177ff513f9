import { ALL, CODE_GROUP } from '../../../../contract/common.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { COLLEAGUES_PER_PAGE, listColleagues } from '../../../../contract/users.ts'
import { query } from '../../../api/query.ts'
import { ChoiceFilter } from '../../../forms/choice-filter.tsx'
import { useCodes } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { columnsOf, hyphenated } from '../../../lists/columns.ts'
import { FilterForm, SearchButtons, useFilters } from '../../../lists/filter-form.tsx'
import { ListResults } from '../../../lists/list-results.tsx'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import { defineList } from '../../../lists/use-list.ts'
import { Page } from '../../../ui/card.tsx'
import { FilterBar } from '../../../ui/form-grid.tsx'
import layout from '../../../ui/layout.module.css'
import { TextField } from '../../../ui/text-field.tsx'
import { useColleagueTexts } from './colleague-texts.ts'

type Colleague = OutputOf<typeof listColleagues>['colleagues'][number]

const NO_FILTERS = { keyword: '', affiliationCode: ALL }

const directory = defineList({
  path: '/colleague/search',
  filters: NO_FILTERS,
  perPage: COLLEAGUES_PER_PAGE,
  query: ({ filters, page }, perPage) => query(listColleagues, { ...filters, page, perPage }),
})

export const { load } = directory

/** /colleague/search (rules/colleagues#directory): everybody at work, by name, with what they show of themselves. */
export default function Colleagues() {
  const { titles } = usePortalMessages()
  const t = useColleagueTexts().search
  const list = directory.useList()
  const page = directory.usePage(list)
  return (
    <Page title={titles.colleagues}>
      <div className={layout.parts}>
        <Filters initial={list.filters} onSearch={page.submit} />
        <ListResults
          page={page}
          texts={t}
          columns={useColumns()}
          rows={page.data?.colleagues ?? []}
          getRowKey={(row) => row.rowNumber}
        />
      </div>
    </Page>
  )
}

interface FiltersProps {
  initial: typeof NO_FILTERS
  onSearch: (filters: typeof NO_FILTERS) => void
}

function Filters({ initial, onSearch }: FiltersProps) {
  const { fields } = usePortalMessages()
  const { filters, bind, reset } = useFilters(initial)
  const affiliations = useCodes(CODE_GROUP.affiliation, true)
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
      </FilterBar>
    </FilterForm>
  )
}

function useColumns(): ListColumn<Colleague>[] {
  const t = useColleagueTexts()
  const { text, column } = columnsOf<Colleague, keyof typeof t.search.columns>(t.search.columns)
  const hidden = <span className={layout.quiet}>{t.hidden}</span>
  return [
    text('name', { isRowHeader: true }),
    text('affiliationName', { width: 200 }),
    text('position', { width: 160 }),
    column('phoneNumber', (row) => hyphenated(row.phoneNumber) || hidden, { width: 170 }),
    column('email', (row) => row.email || hidden, { width: 280 }),
  ]
}
