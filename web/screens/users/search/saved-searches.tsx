import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { listSavedSearches, removeSearch, saveSearch, USERS_PER_PAGE } from '../../../../contract/users.ts'
import { refresh, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import type { ListControl } from '../../../lists/list-state.ts'
import { Button } from '../../../ui/button.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { ChevronDownIcon } from '../../../ui/icons.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { useLazyPart } from '../../../ui/use-lazy-part.ts'
import { savedState, type UserFilters } from './search-state.ts'
import { shownFields } from './user-list.ts'

/** Loads the panel of saved searches. It opens now and then, so it is no part of the first load. */
const loadMenu = () => import('./saved-search-parts.tsx')
/** Dialog that names a saved search, loaded when it opens. */
const SavedSearchDialog = lazy(async () => ({
  default: (await import('./saved-search-parts.tsx')).SavedSearchDialog,
}))

/** Saved search of the user, as the server returns it. */
export type SavedSearch = OutputOf<typeof listSavedSearches>['searches'][number]

/**
 * Manages the user's saved searches (rules/users#saved-searches). Returns the button that opens them, for the filter
 * bar, and the dialogs, which must be outside the filters' form. Applying one replaces filters, order and page size,
 * and names the filters whose values no longer exist. Deleting one asks nothing, because the toast can undo it.
 * `applied` changes whenever a saved search replaces the filters, so that the fields show them again.
 */
export function useSavedSearches(list: ListControl<UserFilters>): {
  button: ReactNode
  dialog: ReactNode
  applied: number
} {
  const t = usePortalMessages().users.saved
  const trigger = useRef<HTMLButtonElement>(null)
  const { opened, open, forget, close } = useLazyPart(loadMenu)
  const [dialog, setDialog] = useState<'save' | SavedSearch>()
  const [applied, setApplied] = useState(0)
  const missingText = useMissingText()
  const remove = useCall(removeSearch)
  const save = useCall(saveSearch)
  const present = { ...shownFields(list), perPage: list.perPage ?? USERS_PER_PAGE }

  /** Closes the open part before it moves the focus to the button, because an open part holds the focus. */
  function leave(): void {
    flushSync(() => {
      close()
      setDialog(undefined)
    })
    trigger.current?.focus()
  }

  /** Opens the list again, which reads the current searches. */
  function reopen(): void {
    leave()
    open()
  }

  function apply({ searchName, conditions, missing }: SavedSearch): void {
    leave()
    list.show(savedState(conditions))
    setApplied(applied + 1)
    if (missing.length === 0) return
    void dialogs.alert({ title: t.goneTitle, message: t.goneText(searchName, missingText(missing)) })
  }

  /** Deletes a saved search without confirmation, because the toast can undo it. */
  async function drop({ searchId, searchName, conditions }: SavedSearch): Promise<void> {
    leave()
    try {
      await remove.mutateAsync({ searchId })
      showToast({ message: t.removed(searchName), undo: () => void restore({ searchName, conditions }) })
    } catch (error) {
      await showRefusal(error)
    }
    await refresh(listSavedSearches)
    reopen()
  }

  async function restore(search: Pick<SavedSearch, 'searchName' | 'conditions'>): Promise<void> {
    await save.mutateAsync(search).catch(showRefusal)
    await refresh(listSavedSearches)
  }

  const button = (
    <>
      <Button
        ref={trigger}
        aria-haspopup="dialog"
        aria-expanded={opened !== undefined}
        onPointerEnter={() => void loadMenu().catch(() => {})}
        onFocus={() => void loadMenu().catch(() => {})}
        onBlur={forget}
        onClick={open}
      >
        {t.open}
        <ChevronDownIcon size={16} />
      </Button>
      {opened !== undefined && (
        <opened.SavedSearchMenu
          anchor={trigger}
          onApply={apply}
          onSave={() => {
            leave()
            setDialog('save')
          }}
          onRename={(search) => {
            leave()
            setDialog(search)
          }}
          onRemove={(search) => void drop(search)}
          onClose={close}
        />
      )}
    </>
  )

  return {
    applied,
    button,
    dialog: dialog !== undefined && (
      <Suspense>
        {dialog === 'save' ? (
          <SavedSearchDialog search={present} onClose={leave} />
        ) : (
          <SavedSearchDialog search={dialog} onClose={reopen} />
        )}
      </Suspense>
    ),
  }
}

/** Returns a function that lists the filters of a saved search whose values no longer exist, as field and last name. */
export function useMissingText() {
  const { fields } = usePortalMessages()
  const nameOf = (field: string) => (field in fields ? fields[field as keyof typeof fields] : field)
  return (missing: SavedSearch['missing']): string =>
    missing.map(({ field, missingName }) => `${nameOf(field)} ${missingName}`).join(', ')
}
