import { PreviewTable } from '../../../imports/preview-table.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { hyphenated } from '../../../lists/columns.ts'
import { importHeadings } from './import-columns.ts'
import { useUpdateTexts } from './update-texts.ts'
import type { CheckedUpdate } from './use-import.ts'
import layout from '../../../ui/layout.module.css'
import styles from './user-update.module.css'

type Result = CheckedUpdate['result']
type Cell = Result['users'][number]['cells'][number]

/** Shows how many users a file changes and how many it does not, and lists the changes with old and new values. */
export function UpdatePreview({ result }: { result: Result }) {
  const { users: words } = usePortalMessages()
  const t = useUpdateTexts()
  const { users, userCount, unchangedCount } = result
  if (userCount === 0) return <p>{t.nobody}</p>
  const { userId, name } = words.search.columns
  return (
    <>
      <p>
        <b>{t.counts(userCount.toLocaleString(), unchangedCount.toLocaleString())}</b>
      </p>
      <PreviewTable
        words={t}
        total={userCount}
        columns={[
          { key: 'userId', header: userId, width: 180, render: (user) => user.userId },
          { key: 'name', header: name, width: 160, render: (user) => user.name },
          { key: 'cells', header: t.changes, render: (user) => <Changes cells={user.cells} /> },
        ]}
        rows={users}
        getRowKey={(user) => user.userId}
      />
    </>
  )
}

/** Lists the changes. The old value is plain text and not `<del>`, because screen readers would announce a deletion too. */
function Changes({ cells }: { cells: readonly Cell[] }) {
  const t = useUpdateTexts()
  const headings = importHeadings(usePortalMessages().users)
  const shown = (field: Cell['field'], text: string) =>
    text === '' ? t.none : field === 'phoneNumber' ? hyphenated(text) : text
  return (
    <ul className={styles.changes}>
      {cells.map(({ field, present, wanted }) => (
        <li key={field}>
          <span className={layout.quiet}>{headings[field]}:</span> {shown(field, present)} →{' '}
          <b>{shown(field, wanted)}</b>
        </li>
      ))}
    </ul>
  )
}
