import { account } from './account.ts'
import { affiliations } from './affiliations.ts'
import { approvals } from './approvals.ts'
import { fields } from './fields.ts'
import { files } from './files.ts'
import { forms } from './forms.ts'
import { keys } from './keys.ts'
import { lists } from './lists.ts'
import { notices } from './notices.ts'
import { ownData } from './own-data.ts'
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
  fields,
  files,
  forms,
  frame: signedInFrame,
  history: {
    title: 'History',
    open: 'Show history',
    close: 'Hide history',
    last: (time: string, who: string, what: string) => `Last changed: ${time} ${who} · ${what}`,
    never: 'There are no changes.',
    system: 'System',
  },
  ownAccess: {
    title: 'Who viewed my data',
    lead: 'Shows when other users read, searched, changed or exported your data. Your own actions are not shown.',
    open: 'Show records',
    close: 'Hide records',
  },
  factors: {
    title: 'Second factor',
    lead: 'A login requires a code from your phone or a passkey in addition to the password, so a stolen password alone is not enough.',
    open: 'Manage second factors',
    close: 'Hide second factors',
  },
  ssoLinks: {
    title: 'Single sign-on',
    lead: 'Link an account of the company’s login server, and you can log in to this portal with it.',
    open: 'Manage single sign-on',
    close: 'Hide single sign-on',
  },
  programs: {
    title: 'Program tokens',
    lead: 'Installed programs use these tokens instead of a password. Entered in a program, a token issues keys in your name, and makes the API calls that you choose. Keys need a partner code: if you have none, ask HR.',
    open: 'Show tokens',
    close: 'Hide tokens',
  },
  seenBy: {
    title: 'Access log',
    lead: 'Shows who read, changed or exported this user’s data, and when.',
    open: 'Access to this user’s data',
  },
  /** Link on a user's page; the section has its own texts. */
  factorReset: {
    title: 'Second factor',
    lead: 'Resets the second factors of a user who has lost both phone and recovery codes. One administrator requests it, and another confirms it.',
    open: 'Show the second factor',
    close: 'Hide the second factor',
  },
  /** Link on a user's page; the rows have their own texts. */
  userSessions: {
    title: 'Logged-in devices',
    lead: 'Shows where and on which devices this user is logged in. You can log out single devices.',
    open: 'Show devices',
    close: 'Hide devices',
  },
  keys,
  lists,
  notices,
  ownData,
  partners,
  regionName,
  settings,
  titles: {
    main: 'Home',
    notifications: 'Notifications',
    notificationSetting: 'Notification settings',
    auditSearch: 'Audit log',
    accessSearch: 'Access log',
    accessDetail: 'Access record',
    reviews: 'Access reviews',
    review: 'Quarterly access review',
    inspections: 'Access log inspections',
    inspection: 'Monthly inspection',
    incidents: 'Leak incidents',
    incident: 'Leak incident',
    roleManage: 'Roles',
    privacy: 'Privacy notice',
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
