import type { Messages } from '../ko.ts'

/** Texts of the export of all data that the portal stores of the user. */
export const ownData: Messages['ownData'] = {
  title: 'Download my data',
  lead: 'Everything that the portal stores about you, in one file (JSON): your account, requests, notices and comments you wrote, confirmations, keys you issued, notifications, logins, and who viewed your data. Passwords and key values are not included.',
  start: 'Download',
  busy: 'Collecting your data.',
  fileName: 'my_data',
}
