import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { listSavedSearches, SAVED_SEARCHES_MAX } from '../../../../contract/users.ts'
import { query } from '../../../api/query.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { useMissingText, type SavedSearch } from './saved-searches.tsx'
import styles from './saved-searches.module.css'
import layout from '../../../ui/layout.module.css'

interface Props {
  anchor: RefObject<HTMLElement | null>
  onApply: (search: SavedSearch) => void
  onSave: () => void
  onRename: (search: SavedSearch) => void
  onRemove: (search: SavedSearch) => void
  onClose: () => void
}

/** The open list of a person's saved searches, under its button. */
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
