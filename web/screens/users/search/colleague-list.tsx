import { type ComponentProps, useRef, useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { listColleagues } from '../../../../contract/users.ts'
import { columnsOf, formatPhone } from '../../../lists/columns.ts'
import { ListResults } from '../../../lists/list-results.tsx'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import layout from '../../../ui/layout.module.css'
import { useLazyPart } from '../../../ui/use-lazy-part.ts'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { useColleagueTexts } from './colleague-texts.ts'

/** Row of the directory. */
type Colleague = OutputOf<typeof listColleagues>['colleagues'][number]

/** Page of the directory to show. */
interface Props {
  page: ComponentProps<typeof ListResults>['page'] & { data: OutputOf<typeof listColleagues> | undefined }
}

/** Loads the profile card. */
const loadCard = () => import('../own/profile-card.tsx')

/**
 * Shows a page of colleagues (rules/colleagues#directory). A click on a row opens the profile card of the user below
 * it, from the data of the row.
 */
export function ColleagueList({ page }: Props) {
  const t = useColleagueTexts().search
  const rows = page.data?.colleagues ?? []
  const card = useLazyPart(loadCard)
  const [person, setPerson] = useState<Colleague>()
  const table = useRef<HTMLDivElement>(null)
  const anchor = useRef<HTMLElement>(null)

  function open(row: Colleague): void {
    anchor.current =
      table.current?.querySelectorAll<HTMLElement>('[data-row-action]')[rows.indexOf(row)] ?? null
    // The card returns the focus to it.
    anchor.current?.focus()
    setPerson(row)
    card.open()
  }

  return (
    <>
      <div ref={table}>
        <ListResults
          page={page}
          texts={t}
          columns={useColumns()}
          rows={rows}
          getRowKey={(row) => row.rowNumber}
          onRowAction={open}
        />
      </div>
      {card.opened !== undefined && person !== undefined && (
        <card.opened.ColleagueCard anchor={anchor} person={person} onClose={card.close} />
      )}
    </>
  )
}

/**
 * Returns the columns of the directory. Phone numbers and emails that are not shared show 'hidden'. A narrow screen has
 * fewer columns; the card has the rest.
 */
function useColumns(): ListColumn<Colleague>[] {
  const t = useColleagueTexts()
  const isNarrow = useNarrow()
  const { text, column } = columnsOf<Colleague, keyof typeof t.search.columns>(t.search.columns)
  const hidden = <span className={layout.quiet}>{t.hidden}</span>
  const phone = (width: number) =>
    column('phoneNumber', (row) => formatPhone(row.phoneNumber) || hidden, { width, isFixed: true })
  const name = text('name', { isRowHeader: true })
  if (isNarrow) {
    const place = ({ affiliationName, teamName, position }: Colleague) => (
      <>
        {affiliationName} {teamName}
        <br />
        <span className={layout.hint}>{position}</span>
      </>
    )
    return [name, column('affiliationName', place, { width: 110, isFixed: true, wraps: 'words' }), phone(134)]
  }
  return [
    name,
    text('affiliationName', { width: 160, isFixed: true }),
    text('teamName', { width: 180, isFixed: true }),
    text('position', { width: 130, isFixed: true }),
    phone(170),
    column('email', (row) => row.email || hidden, { width: 280, isFixed: true }),
  ]
}
