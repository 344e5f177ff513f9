import type { Messages } from '../ko.ts'
import { frame } from './frame.ts'

/** `ko/signed-in-frame.ts` in English. */
export const signedInFrame: Messages['frame'] = {
  ...frame,

  crumbs: 'You are here',

  menu: 'Main menu',
  menuLoading: 'Loading the menu.',
  menuFailed: 'The menu could not be loaded.',
  myInfo: 'My info',
  logout: 'Logout',
  logoutEverywhere: 'Log out on every device',
  signedInAs: (name) => name,
  account: 'My account',
  find: 'Find',
  accountMenu: 'Account menu',
  bell: { label: 'Notifications', unread: (count) => `${count} unread notifications` },
  functionChecking: 'Checking your permission.',
  functionFailed: 'Your permission could not be checked.',
}
