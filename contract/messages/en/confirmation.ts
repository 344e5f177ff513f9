import type { ConfirmationTexts } from '../ko/confirmation.ts'

/** Texts of the dialog that asks for the password or the second factor before a sensitive action. They load with it. */
export const confirmation: ConfirmationTexts = {
  title: 'Confirm your password',
  lead: 'Please enter your password again to confirm.',
  factorTitle: 'Confirm your second factor',
  factorLead: 'Please use your second factor again to confirm.',
  passkey: 'Confirm with a passkey',
  detail: 'This is a sensitive action. Your input is kept, and the action continues after you confirm.',
  retry: 'Try again',
  confirm: 'Confirm',
  ssoLead: 'Accounts that log in by single sign-on only can log in again in a new tab instead.',
  ssoConfirm: (name) => `Confirm with ${name} (new tab)`,
  cancel: 'Cancel',
}
