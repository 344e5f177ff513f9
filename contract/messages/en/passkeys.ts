import type { PasskeyTexts } from '../ko/passkeys.ts'

/** `ko/passkeys.ts` in English. */
export const passkeys: PasskeyTexts = {
  title: 'Passkeys',
  lead: 'A device that you unlock by fingerprint, face or PIN, or a security key, confirms the login. It does nothing on a forged site.',
  none: 'Not set up',
  count: (n) => `${n} set up`,
  list: 'Your passkeys',
  since: (time) => `Set up ${time}`,
  lastUsed: (time) => (time === '' ? 'Never used' : `Last used ${time}`),
  unusable:
    'It was set up at a former address of the portal and does not work at this one. Please remove it and set up another.',
  add: 'Set up a passkey',
  addLead:
    'Name it and press Continue: the browser then asks for your fingerprint, face, PIN or security key.',
  goOn: 'Continue',
  name: 'Passkey name',
  defaultName: 'My passkey',
  added: 'The passkey is set up. From the next login on you can use it.',
  rename: 'Rename',
  renameTitle: 'Rename the passkey',
  renameOf: (name) => `Rename ${name}`,
  save: 'Save',
  remove: 'Remove',
  removeTitle: 'Remove the passkey',
  removeOf: (name) => `Remove ${name}`,
  removeText: (name) =>
    `Remove the passkey “${name}”? Without another second factor the recovery codes go too, and the password alone logs you in.`,
  removed:
    'The passkey has been removed. What your device keeps of it can be deleted in the settings of the device.',

  nowhere:
    'Passkeys need a portal address that begins with https and is a domain name. None is set, or it is not like that. Please ask an administrator.',
  elsewhere: (at) => `Passkeys work only at the portal’s address with https. Please open ${at} instead.`,
  unsupported: 'This browser has no passkeys. Please use another one.',
  former: 'Your passkeys are of a former address of the portal and cannot be used.',

  cancelled: 'The passkey was cancelled, or it took too long. Please try again.',
  already: 'This device has a passkey that is set up already.',
  failed: 'The device could not confirm the passkey. Please try again, or use another way.',

  loginLead: 'Confirm that it is you with your passkey.',
  login: 'Log in with a passkey',
  use: 'Use a passkey',
}
