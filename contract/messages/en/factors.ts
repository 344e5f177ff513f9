import type { FactorTexts } from '../ko/factors.ts'

/** `ko/factors.ts` in English. */
export const factors: FactorTexts = {
  loading: 'Loading the second factors.',
  failed: 'The second factors could not be loaded.',
  card: 'Second factor',
  requiredLead: 'This account has to have a second factor. Once one is set up you can go on.',
  goOn: 'Go on',
  app: 'Authenticator app',
  appLead:
    'An app on your phone, such as Google Authenticator or Microsoft Authenticator, that makes a code of 6 digits every 30 seconds.',
  none: 'Not set up',
  since: (time) => `Set up ${time}`,
  lastUsed: (time) => (time === '' ? 'Never used' : `Last used ${time}`),
  setUp: 'Set up the app',
  setUpAnew: 'Set up again',
  remove: 'Remove',
  removeTitle: 'Remove the authenticator app',
  removeText:
    'Remove the authenticator app? Without another second factor the recovery codes go too, and the password alone logs you in.',
  removed: 'The authenticator app has been removed.',
  scan: 'Scan the QR code with the app, or type the key below. Then enter the 6 digits that the app shows.',
  anewHint: 'The codes of the app that you set up before will no longer work.',
  qr: 'QR code for the authenticator app',
  secret: 'Key',
  code: 'Code',
  confirm: 'Set up',
  added: 'The authenticator app is set up. From the next login on you enter its code.',

  codes: 'Recovery codes',
  codesLead: 'Codes for when your phone or passkey is not there. Each works once.',
  codesLeft: (left, since) => `${left} left · made ${since}`,
  codesFew: 'Few recovery codes are left. Please make new ones.',
  renew: 'Make new codes',
  renewTitle: 'New recovery codes',
  renewText: 'The recovery codes from before will no longer work. Make new ones?',
  once: 'They are shown only now. Print them or save them as a file, and keep them safe, away from your phone. Each code works once.',
  save: 'Save as a file',
  print: 'Print',
  fileName: (userId) => `recovery codes ${userId}.txt`,
  fileHead: (company, userId) => `${company} recovery codes of ${userId}`,
}
