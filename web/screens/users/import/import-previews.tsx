import { PreviewTable } from '../../../imports/import-parts.tsx'
import { namesOf, useCustomFields } from '../../../forms/custom-fields.ts'
import { usePortalMessages } from '../../../language.tsx'
import { columnsOf, formatPhone } from '../../../lists/columns.ts'
import { useImportHeadings, useUpdateTexts, useUserImportTexts } from './import-texts.ts'
import type { CheckedFile, CheckedUpdate } from './use-import.ts'
import layout from '../../../ui/layout.module.css'
import styles from './user-update.module.css'

/** User as a row of the file would register it. */
type Previewed = CheckedFile['result']['preview'][number]

/** Shows the first users of a file as they would be registered, and the number of the others. */
export function ImportPreview({ checked: { result } }: { checked: CheckedFile }) {
  const { users } = usePortalMessages()
  const customFields = useCustomFields()
  const { preview, rowCount } = result
  const { text, column } = columnsOf<Previewed, keyof Previewed>({
    ...users.search.columns,
    ...namesOf(customFields),
  })
  return (
    <PreviewTable
      words={useUserImportTexts()}
      total={rowCount}
      columns={[
        text('userId', { width: 120 }),
        text('name', { width: 110 }),
        text('affiliationName', { width: 110 }),
        text('position', { width: 90 }),
        column('phoneNumber', (user) => formatPhone(user.phoneNumber), { width: 130 }),
        text('email'),
        text('roleName', { width: 110 }),
        text('partnerCode', { width: 120 }),
        text('validFrom', { width: 110 }),
        text('validTo', { width: 110 }),
        text('teamName', { width: 140 }),
        text('employeeNumber', { width: 120 }),
        ...customFields.map(({ slot }) => text(slot, { width: 120 })),
      ]}
      rows={preview}
      getRowKey={(user) => user.userId}
    />
  )
}

/** Result of the check of an update. */
type Result = CheckedUpdate['result']
/** Changed cell of a user, with its old and new value. */
type Cell = Result['users'][number]['cells'][number]

/**
 * Shows how many users a file changes and how many it does not, and the first changes with old and new values. Without
 * changes it shows only a sentence.
 */
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

/**
 * Lists the changed cells of a user with old and new values. The old value is plain text and not `<del>`, because
 * screen readers would announce a deletion too.
 */
function Changes({ cells }: { cells: readonly Cell[] }) {
  const t = useUpdateTexts()
  const headings = useImportHeadings()
  const shown = (field: Cell['field'], text: string) =>
    text === '' ? t.none : field === 'phoneNumber' ? formatPhone(text) : text
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
