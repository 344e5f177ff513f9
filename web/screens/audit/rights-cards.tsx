import { type ReactNode, useRef, useState } from 'react'
import { WITHDRAWN_AT_ONCE } from '../../../contract/audit.ts'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { PagedTable } from '../../lists/paged-table.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { DataColumn } from '../../ui/data-table.tsx'
import layout from '../../ui/layout.module.css'
import { ListBar } from '../../ui/list-bar.tsx'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import { checkboxColumn } from './checkbox-column.tsx'
import type { BulkDecision } from './decide-dialog.tsx'
import { ALL_PEOPLE, filterPeople } from './filter-people.ts'
import { PeopleFilters } from './people-filters.tsx'
import styles from './report.module.css'
import { useFunctionsText, useLoginText } from './review-facts.ts'
import type { Review } from './review.page.tsx'
import { useReviewTexts } from './review-texts.ts'
import { DECISION_TONES } from './tones.ts'

/** A role in a review. */
type Role = Review['roles'][number]
/** A user in a review. */
type Person = Review['people'][number]

/** Rows per page on the screen: a review may have thousands. The report contains all of them. */
const ROWS_PER_PAGE = 50

/** Loads the code of the dialog that decides. */
const loadDialog = () => import('./decide-dialog.tsx')

/**
 * Shows the roles of an access review. A reviewer confirms them, or deletes one that no user has and that is not built
 * in.
 */
export function RolesCard({ review }: { review: Review }) {
  const t = useReviewTexts().quarter
  const functionsText = useFunctionsText()
  const { text, column } = columnsOf<Role, keyof typeof t.roleColumns>(t.roleColumns)
  return (
    <RightsCard<Role>
      review={review}
      title={t.roles}
      list={t.rolesList}
      rows={review.roles}
      empty={t.nobody}
      label={({ roleName }) => roleName}
      columns={[
        text('roleName', { isRowHeader: true, wraps: 'words', width: 180 }),
        column('functions', functionsText, { wraps: 'words' }),
        column('userCount', ({ userCount }) => t.users(userCount.toLocaleString()), { width: 100 }),
      ]}
      // A role without users can be deleted, except 관리자 and the other built-in roles.
      withdrawal={(rows) => {
        const [only] = rows
        const isOne = only !== undefined && rows.length === 1
        return isOne && !only.builtIn && only.userCount === 0 ? 'remove' : undefined
      }}
    />
  )
}

/**
 * Shows the users of an access review, who have more permissions than the default, with filters. A reviewer confirms
 * their roles or revokes them immediately, from at most WITHDRAWN_AT_ONCE users together.
 */
export function PeopleCard({ review }: { review: Review }) {
  const t = useReviewTexts().quarter
  const loginText = useLoginText()
  const [chosen, narrow] = useState(ALL_PEOPLE)
  // The names of roles depend on the language.
  const isRole = review.people.some(({ roleName }) => roleName === chosen.roleName)
  const isOpen = review.reviewState === 'BEGUN'
  const narrowing = {
    ...chosen,
    roleName: isRole ? chosen.roleName : ALL_PEOPLE.roleName,
    openOnly: isOpen && chosen.openOnly,
  }
  const { text, column } = columnsOf<Person, keyof typeof t.peopleColumns>(t.peopleColumns)
  return (
    <RightsCard<Person>
      review={review}
      title={t.people}
      list={t.peopleList}
      filters={
        review.people.length > 0 && (
          <PeopleFilters people={review.people} isOpen={isOpen} narrowing={narrowing} onChange={narrow} />
        )
      }
      rows={filterPeople(review.people, narrowing)}
      empty={review.people.length === 0 ? t.nobody : t.nobodyFound}
      label={({ name, userId }) => `${name} (${userId})`}
      columns={[
        column('person', ({ name, userId }) => `${name} (${userId})`, {
          isRowHeader: true,
          wraps: 'words',
          width: 200,
        }),
        text('roleName', { width: 150, wraps: 'words' }),
        column('state', loginText, { width: 190, wraps: 'words' }),
      ]}
      withdrawal={({ length }) => (length <= WITHDRAWN_AT_ONCE ? 'withdraw' : undefined)}
    />
  )
}

/** Rows and texts of a card. */
interface Props<Row> {
  review: Review
  title: string
  /** Accessible name of the table. */
  list: string
  filters?: ReactNode
  /** The visible rows. A ticked row that is not visible does not count as selected. */
  rows: readonly Row[]
  empty: string
  /** Returns the name of a row for its checkbox. */
  label: (row: Row) => string
  /** The columns before those of the decision. */
  columns: DataColumn<Row>[]
  /** Returns how the selected rows can be withdrawn; undefined if they cannot. */
  withdrawal: (rows: readonly Row[]) => BulkDecision['how'] | undefined
}

/**
 * Shows the items of a review. While it is in progress, checkboxes select the items that the user may decide, and
 * buttons open the dialog that confirms or revokes them. Clears the selection after a decision.
 */
function RightsCard<Row extends Role | Person>(props: Props<Row>) {
  const { review, title, list, filters, rows, empty, label, columns, withdrawal } = props
  const t = useReviewTexts().quarter
  const isOpen = review.reviewState === 'BEGUN'
  const [chosenIds, choose] = useState<ReadonlySet<string>>(new Set())
  const choosable = rows.filter(({ decidable, decision }) => decidable && decision !== 'WITHDRAWN')
  const chosen = choosable.filter(({ itemId }) => chosenIds.has(itemId))
  const [deciding, setDeciding] = useState<BulkDecision>()
  const dialog = useLazyPart(loadDialog)
  const card = useRef<HTMLElement>(null)
  const decisions = useDecisionColumns(isOpen)
  const canWithdraw = withdrawal(chosen)

  /** Opens the dialog of a decision about the selected items. */
  function decide(how: BulkDecision['how']): void {
    // Later changes of the selection do not affect an open dialog.
    setDeciding({ quarter: review.quarter, how, itemIds: chosen.map(({ itemId }) => itemId) })
    dialog.open()
  }

  /** Clears the selection after a decision, and focuses the card. */
  function finish(): void {
    setDeciding(undefined)
    choose(new Set())
    // The buttons are now disabled and would lose the keyboard focus.
    card.current?.focus()
  }

  const box = checkboxColumn<Row>({
    rows: choosable,
    idOf: ({ itemId }) => itemId,
    chosenIds,
    choose,
    texts: { select: t.select, all: t.selectAll(title), one: (row) => t.selectOne(label(row)) },
  })
  return (
    <Card ref={card} title={title}>
      <div className={layout.stack}>
        {filters}
        {isOpen && rows.length > 0 && (
          <ListBar total={chosen.length > 0 && t.selected(chosen.length)}>
            {canWithdraw !== undefined && (
              <Button isDisabled={chosen.length === 0} onClick={() => decide(canWithdraw)}>
                {t[canWithdraw]}
              </Button>
            )}
            <Button variant="primary" isDisabled={chosen.length === 0} onClick={() => decide('confirm')}>
              {t.confirm}
            </Button>
          </ListBar>
        )}
        <PagedTable
          label={list}
          perPage={ROWS_PER_PAGE}
          columns={[...(isOpen ? [box] : []), ...columns, ...decisions]}
          rows={rows}
          getRowKey={({ itemId }) => itemId}
          empty={empty}
        />
      </div>
      {deciding && dialog.opened && (
        <dialog.opened.DecideDialog {...deciding} onDone={finish} onClose={() => setDeciding(undefined)} />
      )}
    </Card>
  )
}

/**
 * Returns the columns of a decision: the decision, the reason and the reviewer. An open item that only another reviewer
 * may decide is marked.
 */
function useDecisionColumns<Row extends Role | Person>(isOpen: boolean): DataColumn<Row>[] {
  const t = useReviewTexts().quarter
  const { column } = columnsOf<Row, 'decision' | 'remark' | 'remarkerName'>(t.roleColumns)
  return [
    column(
      'decision',
      ({ decision, decidable }) =>
        isOpen && decision === '' && !decidable ? (
          <Badge>{t.notMine}</Badge>
        ) : (
          <Badge tone={DECISION_TONES[decision]}>{t.decisions[decision]}</Badge>
        ),
      { width: 150, align: 'center' },
    ),
    column('remark', ({ remark }) => <span className={styles.remark}>{remark}</span>, { wraps: 'words' }),
    column(
      'remarkerName',
      ({ remarkerName, remarkedAt, ownRemark }) => (
        <span title={minuteOf(remarkedAt)}>
          {remarkerName} {ownRemark && <Badge tone="warning">{t.own}</Badge>}
        </span>
      ),
      { width: 150, wraps: 'words' },
    ),
  ]
}
