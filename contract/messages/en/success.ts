import type { Messages } from '../ko.ts'

/** `ko/success.ts` in English. */
export const success: Messages['success'] = {
  signUp: 'Your request has been sent. You can log in after an administrator has approved it.',
  resetPassword: 'A temporary password has been sent by e-mail. Please log in and change it.',
  mailWritten:
    'No mail server is set, so the mail was not sent but written to a file on the server. Please ask the operator for it.',
  codeWritten:
    'No mail server is set, so the verification code was not sent but written to a file on the server. Please ask the operator for it.',
  invitationWritten:
    'No mail server is set, so the invitation was not sent but written to a file on the server. Please ask the operator for it.',
  passwordWritten:
    'No mail server is set, so the temporary password was not sent but written to a file on the server. Please ask the operator for it.',
}
