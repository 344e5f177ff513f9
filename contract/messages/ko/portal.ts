import { affiliations } from './affiliations.ts'
import { approvals } from './approvals.ts'
import { exports } from './exports.ts'
import { files } from './files.ts'
import { home } from './home.ts'
import { keys } from './keys.ts'
import { notices } from './notices.ts'
import { partners } from './partners.ts'
import { roles } from './roles.ts'
import { settings } from './settings.ts'
import { users } from './users.ts'

/** The Korean texts of the pages with the menu; the page loads them with the first of these. */
export const portal = {
  affiliations,
  approvals,
  exports,
  files,
  home,
  keys,
  notices,
  partners,
  roles,
  settings,
  titles: {
    ...affiliations.titles,
    ...approvals.titles,
    ...home.titles,
    ...keys.titles,
    ...notices.titles,
    ...partners.titles,
    ...roles.titles,
    ...settings.titles,
    ...users.titles,
  },
  users,
}
