import type { SecondStepTexts } from '../ko/second-step.ts'

/** `ko/second-step.ts` in English. */
export const secondStep: SecondStepTexts = {
  title: 'Second factor',
  appLead: 'Enter the 6 digits that your authenticator app shows.',
  codeLead: 'Enter one of the recovery codes that you received when you set it up. Each works once.',
  appCode: 'Code',
  recoveryCode: 'Recovery code',
  loading: 'Loading your verification methods.',
  retry: 'Try again',
  required: 'This field is required.',
  trustDevice: 'Do not ask on this device for 30 days',
  submit: 'Confirm',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the authenticator app',
  back: 'Start over',
  lost: 'If you have lost both your second factor and the recovery codes, tell an administrator or HR administrator. Once two of them have confirmed it, the second factor is reset and you are notified by mail. Then log in with your password alone and set it up again.',
}
