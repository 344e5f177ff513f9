import type { Messages } from '../ko.ts'

/** Words that every form of the product shares. */
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
  checkId: 'Check duplicates',
  idChecked: 'confirm',
  idFree: 'This ID can be used.',
  phoneHint: 'Enter 11 digits.',
}
