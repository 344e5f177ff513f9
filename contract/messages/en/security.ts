import type { SecurityTexts } from '../ko/security.ts'

/** Texts of the page of the security settings. They load with it. */
export const security: SecurityTexts = {
  loading: 'Loading the security settings.',
  failed: 'The security settings could not be loaded.',

  fixed: (variable) =>
    `Set by the environment variable ${variable} of the server. It cannot be changed here.`,
  ground: (hint, laws) => (laws === '' ? hint : `${hint} Basis: ${laws}`),

  profiles: 'Users and accounts',

  factors: 'Second factor',
  factorRolesHint:
    'Users with the selected roles must set up a second factor within the days below. A leaked password alone is then not enough to log in.',
  sso: 'Single sign-on',
  ssoRolesHint:
    'Users with these roles cannot log in by password. This applies only while a single sign-on is enabled. Users who are logged in stay logged in.',
  emergencyAccountsHint: (most) =>
    `Login IDs of administrators who can log in by password and second factor when the single sign-on server fails, one per line, ${most} at most. Every login notifies all administrators.`,
  trustRolesHint:
    'Users with the selected roles may choose “Do not ask on this device for 30 days” at login. Important actions still ask for the second factor. Better leave out roles that handle personal data from outside the office. A role that is no longer selected loses its devices immediately.',
  days: (days) => `${days} days`,

  sessions: 'Sessions',
  choose: 'Please choose',

  admins: 'Administrators',
  adminNetworksHint: (max) =>
    `One per line, up to ${max}, for example 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32. Leave it empty for no limit. Accounts with administrative permissions cannot log in or use the portal from other addresses, so a leaked password does not work outside the office.`,
  adminNetworksLead:
    'Applies to every account with a permission to manage users, roles, settings or the audit log, or to export personal data. A list without your current address cannot be saved.',
  here: (address) => `Add the current address (${address})`,
  networkLine: (line) => `${line}: neither an address nor a network.`,

  records: 'Access log',
  backups: 'Backups',
  uploads: 'File uploads',
  reach: 'Only users who may manage administrators can change the security settings.',

  save: 'Save',
  saving: 'Saving the security settings.',
  saved: 'The security settings were saved.',
  none: 'none',
}
