import type { SecurityTexts } from '../ko/security.ts'

/** Texts of the page of the security settings. They load with it. */
export const security: SecurityTexts = {
  loading: 'Loading the security settings.',
  failed: 'The security settings could not be loaded.',

  factors: 'Second factor',
  factorRolesHint:
    'People of the chosen roles have to set up a second factor within the days below. A leaked password alone then lets nobody in.',
  /** Hints of the settings that are numbers. */
  numberHints: {
    factorGraceDays: (max) =>
      `0 to ${max} days, counted from the day this was saved or they got the role, whichever is later. Afterwards a login leads to the set-up, and nothing else is shown until it is done. 0 is at once.`,
    sessionLimit: (max) =>
      `0 to ${max}; 0 is no limit. Beyond it the device that logged in first is logged out. It keeps accounts from being shared and logins from staying on devices that nobody uses.`,
    uploadQuotaMb: (max) =>
      `0 to ${max.toLocaleString('en')}; 0 is no limit. Attached files of notices and pictures in their text count together. Deleting a file gives nothing back that day. The count starts again at midnight in Korea. The limit keeps one user from filling the storage.`,
  },
  days: (days) => `${days} days`,

  sessions: 'Sessions',
  bindings: {
    off: 'Anywhere',
    network: 'Only in the network of the login (IPv4 /24, IPv6 /64)',
    exact: 'Only at the IP address of the login',
  },
  sessionBindingHint:
    'A session that is used from elsewhere ends at once and its person is told. A stolen session is worth nothing elsewhere; on mobile connections whose address changes often, people have to log in again.',
  choose: 'Please choose',

  admins: 'Administrators',
  adminNetworksHint: (max) =>
    `One a line, ${max} at most, for example 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32. Empty is no limit. Accounts with administrative functions can neither log in nor use the portal from anywhere else, so that a leaked password is worth nothing outside the office.`,
  adminNetworksLead:
    'For every account with a function to manage users, roles, settings or the audit trail, or to export personal data. A list without the address that you come from is not saved.',
  here: (address) => `Add the present address (${address})`,
  networkLine: (line) => `${line}: neither an address nor a network.`,

  uploads: 'File uploads',
  reach: 'Only users who may manage administrators can change the security settings.',

  save: 'Save',
  saving: 'Saving the security settings.',
  saved: 'The security settings were saved.',
  none: 'none',
}
