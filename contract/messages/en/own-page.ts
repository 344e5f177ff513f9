import type { ownPage as korean } from '../ko/own-page.ts'

/** `ko/own-page.ts` in English. */
export const ownPage: typeof korean = {
  nav: 'Sections of my info',
  profile: 'Profile',
  security: 'Security',
  sharing: 'Sharing',
  programs: 'Programs',
  data: 'Data',
  passwordLead: 'A new password logs you out on other devices.',
  withdrawLead: 'A withdrawal logs you out, and you cannot log in again.',
  asksAffiliation: 'Change of affiliation requested',
  noFactor: 'No second factor',
  app: 'Authenticator app',
  passkeys: (count) => (count === 1 ? '1 passkey' : `${count} passkeys`),
  codes: (count) => (count === 1 ? '1 recovery code' : `${count} recovery codes`),
  phoneAndEmail: (phone, email) => `Phone: ${phone} · E-mail: ${email}`,
  tokens: (count) =>
    count === 0 ? 'No valid token' : count === 1 ? '1 valid token' : `${count} valid tokens`,
}
