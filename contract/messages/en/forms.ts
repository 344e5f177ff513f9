import type { Messages } from '../ko.ts'

/** Texts that every form of the product shares. */
export const forms: Messages['forms'] = {
  calendar: 'Calendar',
  close: 'Close',
  cancel: 'Cancel',
  choose: 'Please choose',
  loading: 'Loading…',
  searchChoices: 'Search the list',
  nothingToChoose: 'There is nothing to choose.',
  listFailed: 'The list could not be loaded.',
  leaveTitle: 'Unsaved changes',
  leaveText: 'Unsaved input will be lost. Do you want to leave?',
  closeText: 'Your input will be lost. Do you want to close it?',
  secretCloseText: 'You have not copied or saved this yet. It is not shown again. Do you want to close it?',
  copy: 'Copy',
  copied: 'Copied.',
  undone: 'Undone.',
  copyFailed: 'It could not be copied. Please select and copy it manually.',
  draft: (time) => `What you entered at ${time} could not be saved. You can continue with it.`,
  draftRestore: 'Continue',
  draftDiscard: 'Discard',
  draftDiscarded: 'The draft was discarded.',
  draftLabel: 'Draft',
  conflictTitle: 'Changes saved by another user',
  conflictText:
    'Nothing is saved yet, and your input is still here. If you save, the changes of the other user below are lost. “Use these changes” discards your input.',
  conflictMerged:
    'Nothing is saved yet. The form now contains the changes of the other user. None of them is in a field that you changed. Save again to keep both.',
  conflictTake: 'Use these changes',
  overwriteText:
    'The changes of the other user will be replaced by your input. Do you want to overwrite them?',
  checkId: 'Check availability',
  idChecked: 'confirm',
  idFree: 'This ID can be used.',
  landlineHint: 'Enter 9 to 11 digits.',
  phoneHint: 'Enter 11 digits.',
}
