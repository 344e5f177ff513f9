import { account } from './account.ts'
import { affiliations } from './affiliations.ts'
import { approvals } from './approvals.ts'
import { exports } from './exports.ts'
import { fields } from './fields.ts'
import { files } from './files.ts'
import { forms } from './forms.ts'
import { keys } from './keys.ts'
import { lists } from './lists.ts'
import { notices } from './notices.ts'
import { partners } from './partners.ts'
import { regionName } from './regions.ts'
import { settings } from './settings.ts'
import { signedInFrame } from './signed-in-frame.ts'
import { users } from './users.ts'
import { validation } from './validation.ts'

/** `ko/portal.ts` in English. */
export const portal = {
  account,
  affiliations,
  approvals,
  exports,
  fields,
  files,
  forms,
  frame: signedInFrame,
  history: {
    title: 'History',
    open: 'Show history',
    close: 'Hide history',
    last: (time: string, who: string, what: string) => `Last changed: ${time} ${who} · ${what}`,
    never: 'There are no changes on record.',
    system: 'System',
  },
  ownAccess: {
    title: 'Who has looked at my data',
    lead: 'Whenever somebody else read, found, changed or exported your data. What you did yourself is not shown.',
    open: 'Show records',
    close: 'Hide records',
  },
  factors: {
    title: 'Second factor',
    lead: 'A login asks for a code of your phone or a passkey beside the password. Who learns your password cannot log in with it.',
    open: 'Manage second factors',
    close: 'Hide second factors',
  },
  programs: {
    title: 'Program tokens',
    lead: 'Installed programs use them instead of a password. They issue keys in your name and do nothing else.',
    open: 'Show tokens',
    close: 'Hide tokens',
  },
  seenBy: {
    title: 'Access log',
    lead: 'Who has read, changed or exported this person’s data, and when.',
    open: 'Who has looked at this person’s data',
  },
  /** Link on a user's page; the section has its own texts. */
  factorReset: {
    title: 'Second factor',
    lead: 'Resets the second factors of somebody who has lost phone and recovery codes: one administrator asks for it, and another has to confirm.',
    open: 'Show the second factor',
    close: 'Hide the second factor',
  },
  /** Link on a user's page; the rows have their own texts. */
  userSessions: {
    title: 'Logged-in devices',
    lead: 'See on which devices and where this person is logged in, and log one of them out.',
    open: 'Show devices',
    close: 'Hide devices',
  },
  keys,
  lists,
  notices,
  partners,
  regionName,
  settings,
  titles: {
    main: 'Home',
    notifications: 'Notifications',
    notificationSetting: 'Notification settings',
    auditSearch: 'Audit trail',
    accessSearch: 'Access log',
    accessDetail: 'Access record',
    reviews: 'Reviews of rights',
    review: 'Quarterly review of rights',
    inspections: 'Access log inspections',
    inspection: 'Monthly inspection',
    roleManage: 'Roles',
    ...affiliations.titles,
    ...approvals.titles,
    ...keys.titles,
    ...notices.titles,
    ...partners.titles,
    ...settings.titles,
    ...users.titles,
  },
  users,
  validation,
}
