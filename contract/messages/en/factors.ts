import type { FactorTexts } from '../ko/factors.ts'

/** `ko/factors.ts` in English. */
export const factors: FactorTexts = {
  loading: 'Loading the second factors.',
  failed: 'The second factors could not be loaded.',
  card: 'Second factor',
  requiredLead: 'This account must have a second factor. Set one up to continue.',
  goOn: 'Continue',
  app: 'Authenticator app',
  appLead:
    'An app on your phone, such as Google Authenticator or Microsoft Authenticator, that shows a new 6-digit code every 30 seconds.',
  none: 'Not set up',
  since: (time) => `Set up ${time}`,
  lastUsed: (time) => (time === '' ? 'Never used' : `Last used ${time}`),
  setUp: 'Set up the app',
  setUpAnew: 'Set up again',
  remove: 'Remove',
  removeTitle: 'Remove the authenticator app',
  removeText:
    'Remove the authenticator app? Without another second factor, the recovery codes are deleted too, and you log in with the password alone.',
  removed: 'The authenticator app has been removed.',
  scan: 'Scan the QR code with the app, or type the key below. Then enter the 6 digits that the app shows.',
  anewHint: 'The codes of the previous app will no longer work.',
  qr: 'QR code for the authenticator app',
  secret: 'Key',
  code: 'Code',
  confirm: 'Set up',
  added: 'The authenticator app is set up. Enter its code from the next login on.',

  codes: 'Recovery codes',
  codesLead: 'Codes for when you cannot use your phone or passkey. Each works once.',
  codesLeft: (left, since) => `${left} left · created ${since}`,
  codesFew: 'Few recovery codes are left. Please create new ones.',
  renew: 'Create new codes',
  renewTitle: 'New recovery codes',
  renewText: 'The previous recovery codes will no longer work. Create new ones?',
  once: 'They are shown only now. Print them or save them as a file, and keep them safe, away from your phone. Each code works once.',
  save: 'Save as a file',
  print: 'Print',
  fileName: (userId) => `recovery codes ${userId}.txt`,
  fileHead: (company, userId) => `${company} recovery codes of ${userId}`,
}
