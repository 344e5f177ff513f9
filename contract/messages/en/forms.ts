import type { Messages } from '../ko.ts'

/** Texts that every form of the product shares. */
export const forms: Messages['forms'] = {
  calendar: 'calendar',
  close: 'Close',
  cancel: 'Cancel',
  choose: 'Please choose',
  loading: 'Loading…',
  nothingToChoose: 'There is nothing to choose.',
  listFailed: 'The list could not be loaded.',
  leaveTitle: 'Unsaved changes',
  leaveText: 'What you have not saved will be lost. Do you want to leave?',
  closeText: 'What you have typed will be lost. Do you want to close it?',
  draft: (time) => `What you entered at ${time} could not be saved. You can continue with it.`,
  draftRestore: 'Continue',
  draftDiscard: 'Discard',
  draftDiscarded: 'The draft is discarded.',
  draftLabel: 'Draft',
  conflictTitle: 'What another user saved first',
  conflictText:
    'Nothing is saved yet, and your input is still here. If you save, the text of the other user below is lost. “Take this instead” discards your input.',
  conflictMerged:
    'Nothing is saved yet. The changes of the other user are in the form now, and none of them is in a field that you changed. Save again to keep both.',
  conflictTake: 'Take this instead',
  overwriteText: 'What another user saved is lost and replaced by your input. Do you want to overwrite it?',
  checkId: 'Check duplicates',
  idChecked: 'confirm',
  idFree: 'This ID can be used.',
  phoneHint: 'Enter 11 digits.',
}
