import type { PasskeyTexts } from '../ko/passkeys.ts'

/** `ko/passkeys.ts` in English. */
export const passkeys: PasskeyTexts = {
  title: 'Passkeys',
  lead: 'A device that you unlock by fingerprint, face or PIN, or a security key, confirms the login. It does not work on fake sites.',
  none: 'Not set up',
  count: (n) => `${n} set up`,
  list: 'Your passkeys',
  since: (time) => `Set up ${time}`,
  lastUsed: (time) => (time === '' ? 'Never used' : `Last used ${time}`),
  unusable:
    'It was set up at a previous address of the portal and does not work at this one. Please delete it and set up another.',
  add: 'Set up a passkey',
  addLead:
    'Name it and press Continue: the browser then asks for your fingerprint, face, PIN or security key.',
  goOn: 'Continue',
  name: 'Passkey name',
  defaultName: 'My passkey',
  added: 'The passkey is set up. You can use it from the next login on.',
  rename: 'Rename',
  renameTitle: 'Rename the passkey',
  renameOf: (name) => `Rename ${name}`,
  save: 'Save',
  remove: 'Remove',
  removeTitle: 'Remove the passkey',
  removeOf: (name) => `Remove ${name}`,
  removeText: (name) =>
    `Remove the passkey “${name}”? Without another second factor, the recovery codes are deleted too, and you log in with the password alone.`,
  removed:
    'The passkey has been removed from the portal. You can delete the copy on your device in the settings of the device.',

  nowhere:
    'Passkeys need a portal address that begins with https and is a domain name. The current address is missing or does not meet this. Please ask an administrator.',
  elsewhere: (at) => `Passkeys work only at the portal’s address with https. Please open ${at} instead.`,
  unsupported: 'This browser does not support passkeys. Please use another one.',
  former: 'Your passkeys belong to a previous address of the portal and cannot be used.',

  cancelled: 'The passkey check was canceled or timed out. Please try again.',
  already: 'A passkey of this device is already set up.',
  failed: 'The device could not confirm the passkey. Please try again, or use another way.',

  loginLead: 'Confirm your identity with your passkey.',
  login: 'Log in with a passkey',
  use: 'Use a passkey',
}
