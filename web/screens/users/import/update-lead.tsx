import { Link } from '@tanstack/react-router'
import { SegmentedControl } from '../../../layout/segmented.tsx'
import { usePermissionLookup } from '../../../layout/use-permission.ts'
import { classes } from '../../../ui/classes.ts'
import { forgetSearch } from '../search/search-memory.ts'
import { useUpdateTexts } from './import-texts.ts'
import styles from './user-update.module.css'

/** Purpose of a file: new users or registered users. */
export type ImportMode = 'register' | 'update'

/**
 * Shows the choice between new and registered users as the purpose of the file. Renders nothing if the user may do only
 * one of the two.
 */
export function ModeChoice({ mode, onChange }: { mode: ImportMode; onChange: (mode: ImportMode) => void }) {
  const t = useUpdateTexts()
  const may = usePermissionLookup()
  const mayUpdate = may('autho_user_manage')
  if (mayUpdate === false || may('autho_user_insert') === false) return null
  return (
    // Reserves its space until the permission is known.
    <div className={classes(styles.mode, mayUpdate === undefined && styles.unknown)}>
      <SegmentedControl
        label={t.mode}
        value={mode}
        segments={[
          { value: 'register', label: t.modes.register },
          { value: 'update', label: t.modes.update },
        ]}
        onChange={onChange}
      />
    </div>
  )
}

/**
 * Explains what an update changes and what it does not, and links to the user list, whose export is the template
 * (rules/users#update).
 */
export function UpdateLead() {
  const t = useUpdateTexts()
  return (
    <div>
      <p>{t.lead}</p>
      <p>{t.notChanged}</p>
      <p>
        {t.templateNote} {/* Not the search that was left, with whom it had chosen. */}
        <Link to="/user/search" onClick={forgetSearch}>
          {t.toList}
        </Link>
      </p>
    </div>
  )
}
