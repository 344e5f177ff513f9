import type { Messages } from '../ko.ts'

/** `ko/frame.ts` in English. */
export const frame: Messages['frame'] = {
  productName: 'Maru',
  productLine: 'Staff portal',
  pageTitle: (title, product) => `${title} | ${product}`,
  crumbs: 'You are here',
  skipToContent: 'Skip to content',
  toMain: 'Go to home',

  menu: 'Main menu',
  menuLoading: 'Loading the menu.',
  menuFailed: 'The menu could not be loaded.',
  building: 'Drawing of our office building',
  retry: 'Try again',
  myInfo: 'My info',
  logout: 'Logout',
  signedInAs: (name) => name,
  account: 'My account',
  accountMenu: 'Account menu',
  language: 'Language',
  languages: { ko: '한국어', en: 'English' },
  languageFailed: 'The language could not be changed. Please try again in a moment.',
  theme: 'Theme',
  themes: { light: 'Light', dark: 'Dark', system: 'System setting' },

  confirm: 'OK',
  notLoaded: 'A part of this page could not be loaded. Reload the page in a moment and try again.',
  yes: 'Yes',
  no: 'No',

  noPermission: 'no permission',
  functionChecking: 'Checking your permission.',
  functionFailed: 'Your permission could not be checked.',

  offices: 'Offices',
  tel: 'Tel',
  fax: 'Fax',
  copyright: (company, year) => `© ${year} ${company}. All rights reserved.`,
  backToTop: 'Back to top',

  unreachable: 'The server cannot be reached. What you entered is still here; please try again in a moment.',

  notFoundCode: '404',
  notFoundTitle: 'Page does not exist',
  notFoundHeading: 'This page does not exist',
  notFoundText: 'Please check the address. The page may have been moved or deleted.',
  brokenHeading: 'This screen could not be shown',
  brokenText: 'Please try again in a moment. If it happens again, please contact the administrator.',
  goHome: 'Go to home',
  goLogin: 'Go to login',
  goBack: 'Go back',
}
