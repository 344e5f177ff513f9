import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import * as z from 'zod/mini'
import type { InputOf } from '../../../../contract/endpoint.ts'
import {
  listSavedSearches,
  renameSearch,
  SAVED_SEARCHES_MAX,
  saveSearch,
  SEARCH_NAME_MAX,
  searchName,
} from '../../../../contract/users.ts'
import { call } from '../../../api/client.ts'
import { query, refresh } from '../../../api/query.ts'
import { BoundText } from '../../../forms/bound-text.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useDialogForm } from '../../../forms/use-dialog-form.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { type SavedSearch, useMissingText } from './saved-searches.tsx'
import layout from '../../../ui/layout.module.css'
import styles from './saved-searches.module.css'

/** Actions of the panel. The caller carries them out. */
interface Props {
  anchor: RefObject<HTMLElement | null>
  onApply: (search: SavedSearch) => void
  onSave: () => void
  onRename: (search: SavedSearch) => void
  onRemove: (search: SavedSearch) => void
  onClose: () => void
}

/**
 * Shows a panel with the user's saved searches below its button, to apply, rename and delete them, or to save the
 * current one. Loads them when it opens. Warns about filters whose values no longer exist. With SAVED_SEARCHES_MAX
 * searches, saving is disabled.
 */
export function SavedSearchMenu({ anchor, onApply, onSave, onRename, onRemove, onClose }: Props) {
  const t = usePortalMessages().users.saved
  const { retry } = usePortalMessages().lists
  const saved = useQuery(query(listSavedSearches, {}))
  const missingText = useMissingText()
  const searches = saved.data?.searches ?? []
  const isFull = searches.length >= SAVED_SEARCHES_MAX

  return (
    <PopoverPanel anchor={anchor} label={t.open} onClose={onClose}>
      {saved.isPending ? (
        <EmptyState message={t.loading} />
      ) : saved.isError ? (
        <ErrorState
          message={t.failed}
          retryLabel={retry}
          onRetry={() => void saved.refetch()}
          isPending={saved.isFetching}
        />
      ) : searches.length === 0 ? (
        <EmptyState message={t.empty} />
      ) : (
        <ul className={styles.searches} aria-label={t.open}>
          {searches.map((search) => (
            <li key={search.searchId}>
              <button type="button" className={styles.apply} onClick={() => onApply(search)}>
                <span className={layout.ellipsis} title={search.searchName}>
                  {search.searchName}
                </span>
                {search.missing.length > 0 && (
                  <small className={layout.warning}>{t.gone(missingText(search.missing))}</small>
                )}
              </button>
              <Button
                size="small"
                variant="quiet"
                aria-label={t.renameOf(search.searchName)}
                onClick={() => onRename(search)}
              >
                {t.rename}
              </Button>
              <Button
                size="small"
                variant="quiet"
                aria-label={t.removeOf(search.searchName)}
                onClick={() => onRemove(search)}
              >
                {t.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isFull && <p className={layout.hint}>{t.full}</p>}
      <Button size="small" isDisabled={!saved.isSuccess || isFull} onClick={onSave}>
        {t.save}
      </Button>
    </PopoverPanel>
  )
}

/** Schema of the form of `SavedSearchDialog`. */
const typed = z.strictObject({ searchName })

interface DialogProps {
  /** The search to rename, or the conditions to save under a new name. */
  search: SavedSearch | InputOf<typeof saveSearch>['conditions']
  onClose: () => void
}

/**
 * Shows a dialog that asks for a name, and saves the current search under it (`saveSearch`) or renames a saved one
 * (`renameSearch`). SEARCH_NAME_TAKEN appears at the field.
 */
export function SavedSearchDialog({ search, onClose }: DialogProps) {
  const t = usePortalMessages().users.saved
  const renamed = 'searchId' in search ? search : undefined
  const dialog = useDialogForm({
    schema: typed,
    initial: { searchName: renamed?.searchName ?? '' },
    async submit(name) {
      if ('searchId' in search) await call(renameSearch, { searchId: search.searchId, ...name })
      else await call(saveSearch, { ...name, conditions: search })
      // The menu shows the current searches when it opens again.
      await refresh(listSavedSearches)
    },
    // The menu shows a new name itself.
    done: (_, name) => (renamed === undefined ? t.saved(name.searchName) : undefined),
    fieldOf: { SEARCH_NAME_TAKEN: 'searchName' },
    // Deleted on another device, or too many: the list shows the current state.
    onChanged: () => refresh(listSavedSearches),
    onClose,
  })
  return (
    <FormDialog
      {...dialog}
      title={renamed === undefined ? t.saveTitle : t.rename}
      about={renamed?.searchId}
      submitLabel={t.submit}
      className={layout.stack}
    >
      {renamed === undefined && <p>{t.lead}</p>}
      <BoundText
        name="searchName"
        label={t.name}
        maxLength={SEARCH_NAME_MAX}
        autoComplete="off"
        isRequired
        // The user opens the dialog to type this.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
    </FormDialog>
  )
}
