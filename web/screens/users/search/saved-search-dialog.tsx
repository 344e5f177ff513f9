import * as z from 'zod/mini'
import type { InputOf } from '../../../../contract/endpoint.ts'
import {
  listSavedSearches,
  renameSearch,
  SEARCH_NAME_MAX,
  saveSearch,
  searchName,
} from '../../../../contract/users.ts'
import { CallError } from '../../../api/call-error.ts'
import { refresh, useCall } from '../../../api/query.ts'
import { BoundText } from '../../../forms/bound-text.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../../forms/form.tsx'
import { showRefusalOnField } from '../../../forms/refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import type { SavedSearch } from './saved-searches.tsx'
import layout from '../../../ui/layout.module.css'

const typed = z.strictObject({ searchName })

/** Asks for the name under which to save the current search. */
export function SaveDialog({
  conditions,
  onClose,
}: {
  conditions: InputOf<typeof saveSearch>['conditions']
  onClose: () => void
}) {
  const t = usePortalMessages().users.saved
  const save = useCall(saveSearch)
  return (
    <NameDialog
      title={t.saveTitle}
      lead={t.lead}
      initial=""
      about=""
      onClose={onClose}
      save={async (name) => {
        await save.mutateAsync({ searchName: name, conditions })
        return t.saved(name)
      }}
    />
  )
}

/** Asks for another name of a saved search. */
export function RenameDialog({ search, onClose }: { search: SavedSearch; onClose: () => void }) {
  const t = usePortalMessages().users.saved
  const rename = useCall(renameSearch)
  return (
    <NameDialog
      title={t.rename}
      initial={search.searchName}
      about={search.searchId}
      onClose={onClose}
      save={async (name) => {
        await rename.mutateAsync({ searchId: search.searchId, searchName: name })
      }}
    />
  )
}

interface NameProps {
  title: string
  lead?: string
  initial: string
  about: string
  onClose: () => void
  /** Makes the call. @returns the success message, if the screen does not show the success itself */
  save: (name: string) => Promise<string | void>
}

function NameDialog({ title, lead, initial, about, onClose, save }: NameProps) {
  const t = usePortalMessages().users.saved
  const form = useSchemaForm(typed, { searchName: initial })

  async function submit(values: z.output<typeof typed>): Promise<void> {
    let done: string | void
    try {
      done = await save(values.searchName)
    } catch (error) {
      await showRefusalOnField(error, form, { SEARCH_NAME_TAKEN: 'searchName' })
      // Deleted on another device, or too many: the list shows the current state.
      if (error instanceof CallError && ['SEARCH_NOT_FOUND', 'SEARCHES_FULL'].includes(error.code)) {
        await refresh(listSavedSearches)
        onClose()
      }
      return
    }
    // The menu shows the current searches when it opens again.
    await refresh(listSavedSearches)
    onClose()
    if (typeof done === 'string') await dialogs.alert({ tone: 'success', message: done })
  }

  return (
    <FormDialog
      title={title}
      about={about}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.submit}
      className={layout.stack}
    >
      {lead !== undefined && <p>{lead}</p>}
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
