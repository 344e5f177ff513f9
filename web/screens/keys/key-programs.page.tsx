import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { ALL_PROGRAMS_PER_PAGE, listAllPrograms, endProgram, REASON_LENGTH } from '../../../contract/keys.ts'
import { query, invalidate, useCall } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { FilterForm, SearchButtons, useFilters } from '../../lists/filter-form.tsx'
import { ListResults } from '../../lists/list-results.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { defineList } from '../../lists/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { FilterBar } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { TextField } from '../../ui/text-field.tsx'
import { PersonName } from '../users/record/person-name.tsx'
import { TokenRights } from './token-rights.tsx'
import { TokenState } from './tokens.tsx'
import { useTokenTexts } from './token-texts.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

/** A program token with its user. */
export type ProgramOfAll = OutputOf<typeof listAllPrograms>['programs'][number]

/** Filters that match every token. */
const NO_FILTERS = { keyword: '' }

/** The list of tokens: its URL and its query. */
const programs = defineList({
  path: '/key/programs',
  filters: NO_FILTERS,
  perPage: ALL_PROGRAMS_PER_PAGE,
  query: ({ filters, page }, perPage) => query(listAllPrograms, { ...filters, page, perPage }),
})

/** Prefetches the page of the list that the URL names. */
export const { load } = programs

/**
 * The page /key/programs (rules/keys#programs-of-others): the program tokens of all users that are valid, which an
 * administrator can end. Its filter searches by keyword.
 */
export default function KeyPrograms() {
  const { titles } = usePortalMessages()
  const t = useTokenTexts().allPrograms
  const list = programs.useList()
  const page = programs.usePage(list)
  const [asked, setAsked] = useState<ProgramOfAll>()
  useShowRefusal(page.error)
  return (
    <Page title={titles.keyPrograms}>
      <p>{t.lead}</p>
      <div className={layout.parts}>
        <Filters initial={list.filters} onSearch={page.submit} />
        <ListResults
          page={page}
          texts={t}
          columns={useColumns(setAsked)}
          rows={page.data?.programs ?? []}
          getRowKey={(row) => row.programId}
        />
      </div>
      {asked !== undefined && <EndProgramDialog row={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  )
}

/** The filters of the current search. */
interface FiltersProps {
  initial: typeof NO_FILTERS
  onSearch: (filters: typeof NO_FILTERS) => void
}

/** Shows the filter by keyword. The button, or Enter, searches; reset searches without it. */
function Filters({ initial, onSearch }: FiltersProps) {
  const { filters, bind, reset } = useFilters(initial)
  function clear(): void {
    reset(NO_FILTERS)
    onSearch(NO_FILTERS)
  }
  return (
    <FilterForm onSearch={() => onSearch(filters)}>
      <FilterBar actions={<SearchButtons onReset={clear} />}>
        <TextField
          label={useTokenTexts().allPrograms.keyword}
          {...bind('keyword')}
          maxLength={100}
          autoComplete="off"
        />
      </FilterBar>
    </FilterForm>
  )
}

/**
 * Returns the columns of the program tokens.
 * @param end asks whether to end the token of a row
 */
function useColumns(end: (row: ProgramOfAll) => void): ListColumn<ProgramOfAll>[] {
  const texts = useTokenTexts()
  const t = texts.allPrograms
  const { text, column } = columnsOf<ProgramOfAll, keyof typeof t.columns>(t.columns)
  const acts = (row: ProgramOfAll) => (
    <Button size="small" aria-label={t.endOf(row.name, row.programName)} onClick={() => end(row)}>
      {t.end}
    </Button>
  )
  return [
    text('rowNumber', { width: 64, align: 'center' }),
    column('name', ({ userId, name }) => <PersonName userId={userId} name={name} />, { width: 120 }),
    text('partnerCode', { width: 150 }),
    text('programName', { isRowHeader: true }),
    column('scopes', (row) => <TokenRights {...row} />, { width: 200 }),
    column('state', (row) => <TokenState state={row.state} />, { width: 130 }),
    column('createdAt', (row) => minuteOf(row.createdAt), { width: 150 }),
    column('expiresAt', (row) => minuteOf(row.expiresAt), { width: 150 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt) || texts.never, { width: 150 }),
    column('actions', acts, { width: 90, align: 'center' }),
  ]
}

/**
 * Shows the dialog that asks for a reason and ends a user's program token (`endProgram`). The server notifies the user.
 * After a refusal the list is read again, and the dialog stays open.
 */
export function EndProgramDialog({ row, onClose }: { row: ProgramOfAll; onClose: () => void }) {
  const texts = useTokenTexts()
  const t = texts.allPrograms
  const end = useCall(endProgram)
  return (
    <ReasonDialog
      title={t.endTitle}
      about={row.programId}
      submitLabel={t.end}
      isDanger
      reason={{ label: t.reason, description: t.reasonHint, maxLength: REASON_LENGTH }}
      act={(reason) => end.mutateAsync({ programId: row.programId, reason })}
      done={t.done}
      onChanged={() => invalidate(listAllPrograms)}
      onClose={onClose}
    >
      <FactList
        facts={[
          [t.person, `${row.name} (${row.userId})`],
          [t.columns.programName, row.programName],
          [t.columns.lastUsedAt, minuteOf(row.lastUsedAt) || texts.never],
        ]}
      />
      <p>{t.endText}</p>
    </ReasonDialog>
  )
}
