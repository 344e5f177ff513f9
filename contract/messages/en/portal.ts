import { affiliations } from './affiliations.ts'
import { approvals } from './approvals.ts'
import { exports } from './exports.ts'
import { files } from './files.ts'
import { keys } from './keys.ts'
import { lists } from './lists.ts'
import { notices } from './notices.ts'
import { partners } from './partners.ts'
import { settings } from './settings.ts'
import { users } from './users.ts'

/** `ko/portal.ts` in English. */
export const portal = {
  affiliations,
  approvals,
  exports,
  files,
  history: {
    title: 'History',
    open: 'Show history',
    close: 'Hide history',
    last: (time: string, who: string, what: string) => `Last changed: ${time} ${who} · ${what}`,
    never: 'There are no changes on record.',
    system: 'System',
  },
  keys,
  lists,
  notices,
  partners,
  settings,
  titles: {
    main: 'Home',
    auditSearch: 'Audit trail',
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
}
