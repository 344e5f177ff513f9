import type { Messages } from '../ko.ts'

/** `ko/success.ts` in English. */
export const success: Messages['success'] = {
  signUp: 'Your request has been sent. You can log in after an administrator has approved it.',
  resetPassword: 'A temporary password has been sent by e-mail. Please log in and change it.',
}
