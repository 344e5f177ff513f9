import type { Messages } from '../ko.ts'

/** `ko/menu.ts` in English. */
export const menu: Messages['menu'] = {
  groups: {
    notices: 'Notices',
    users: 'Users',
    keys: 'Access keys',
    partners: 'Partners',
    settings: 'Settings',
  },
  items: { keySearch: 'Issued keys', partnerSearch: 'Partner codes' },
}
