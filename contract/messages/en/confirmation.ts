import type { ConfirmationTexts } from '../ko/confirmation.ts'

/** Texts of the dialog that asks for the password before something dangerous. They come with it. */
export const confirmation: ConfirmationTexts = {
  title: 'Confirm your password',
  lead: 'Please enter your password again to confirm.',
  detail: 'This is a sensitive action. What you typed stays, and goes on once you have confirmed.',
  confirm: 'Confirm',
  cancel: 'Cancel',
}
