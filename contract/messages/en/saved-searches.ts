import type { savedSearches as korean } from '../ko/saved-searches.ts'

/** `ko/saved-searches.ts` in English. */
export const savedSearches: typeof korean = {
  open: 'Saved searches',
  loading: 'Loading your saved searches.',
  empty: 'You have no saved searches.',
  failed: 'Your saved searches could not be loaded.',
  save: 'Save this search',
  saveTitle: 'Save search',
  lead: 'The filters of the list, its order and its rows per page are saved.',
  name: 'Name',
  submit: 'Save',
  saved: (name) => `The search “${name}” has been saved.`,
  rename: 'Rename',
  renameOf: (name) => `Rename ${name}`,
  remove: 'Delete',
  removeOf: (name) => `Delete ${name}`,
  removed: (name) => `The saved search “${name}” is deleted.`,
  full: 'You can save up to 20 searches. Delete one to save another.',
  gone: (missing) => `Closed or deleted: ${missing}`,
  goneTitle: 'Closed or deleted',
  goneText: (name, missing) =>
    `The saved search “${name}” has filters for something closed or deleted.\n${missing}\nThey still apply. Change them if necessary.`,
}
