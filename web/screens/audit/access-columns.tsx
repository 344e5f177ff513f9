import type { listAccess } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { columnsOf } from '../../lists/columns.ts'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import layout from '../../ui/layout.module.css'
import { useAccessTexts } from './access-texts.ts'

/** A row of the access log. */
export type AccessRow = OutputOf<typeof listAccess>['rows'][number]

/**
 * Returns a function that formats a user in the access log: name and login ID; the login ID alone of a user without an
 * account; a text for a deleted account, which has neither.
 */
export function usePersonText(): (person: { userId: string; name: string }) => string {
  const { removed } = useAccessTexts()
  return ({ userId, name }) => (name === '' ? userId || removed : `${name} (${userId})`)
}

/**
 * Returns the columns of the access log: time, user, kind of access, task, data subjects, address and outcome.
 * `searchedBy` is hidden until the user shows it.
 */
export function useAccessColumns(): ListColumn<AccessRow>[] {
  const t = useAccessTexts()
  const personText = usePersonText()
  const { text, column } = columnsOf<AccessRow, keyof typeof t.columns>(t.columns)
  const who = (row: AccessRow) => (row.userId === '' ? t.nobody : personText(row))
  return [
    text('rowNumber', { width: 84, align: 'center', isRequired: true }),
    text('accessedAt', { width: 172, isSortable: true, isRowHeader: true, isRequired: true }),
    column('user', who, { width: 170 }),
    text('act', { width: 90, align: 'center' }),
    column('task', (row) => <Task {...row} />, { width: 200, wraps: 'words' }),
    column('subjects', (row) => <Subjects row={row} />, { wraps: 'words' }),
    text('address', { width: 130 }),
    column('outcome', (row) => <Outcome refusal={row.refusal} />, { width: 90, align: 'center' }),
    text('searchedBy', { width: 160, wraps: 'words', isExtra: true }),
  ]
}

/** Shows the data subjects that the row names and the number of the others; a text if it has none. */
function Subjects({ row: { subjects, subjectCount } }: { row: AccessRow }) {
  const { noSubject, others } = useAccessTexts()
  const personText = usePersonText()
  if (subjectCount === 0) return noSubject
  const more = subjectCount - subjects.length
  return [subjects.map(personText).join(', '), ...(more > 0 ? [others(more)] : [])].join(' ')
}

/**
 * Shows the task of a row, and after it the annotation that says why the row was recorded in error, unless that is ''.
 */
export function Task({ task, annotation }: { task: string; annotation: string }) {
  const { inError } = useAccessTexts()
  if (annotation === '') return task
  return (
    <>
      {task} <span className={layout.quiet}>{inError(annotation)}</span>
    </>
  )
}

/** Shows whether the access succeeded (`refusal` is '') or was refused. The tooltip has the reason of a refusal. */
export function Outcome({ refusal }: { refusal: string }) {
  const { outcomes } = useAccessTexts()
  if (refusal === '') return outcomes.DONE
  return (
    <span title={refusal}>
      <Badge tone="danger">{outcomes.REFUSED}</Badge>
    </span>
  )
}
