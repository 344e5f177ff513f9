import type { FirstMessages } from '../ko.ts'

/** `ko/frame.ts` in English. */
export const frame: FirstMessages['frame'] = {
  productName: 'Maru',
  productLine: 'Staff portal',
  pageTitle: (title, product) => `${title} | ${product}`,
  skipToContent: 'Skip to content',
  toMain: 'Go to home',
  building: 'Drawing of our office building',
  retry: 'Try again',
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

  privacy: 'Privacy notice',
  offices: 'Offices',
  tel: 'Tel',
  fax: 'Fax',
  copyright: (company, year) => `© ${year} ${company.replace(/\.$/, '')}. All rights reserved.`,
  backToTop: 'Back to top',

  unreachable: 'The server cannot be reached. What you entered is still here; please try again in a moment.',

  notFoundTitle: 'Page does not exist',
  notFoundHeading: 'This page does not exist',
  notFoundText: 'Please check the address. The page may have been moved or deleted.',
  brokenHeading: 'This screen could not be shown',
  brokenText: 'Please try again in a moment. If it happens again, please contact the administrator.',
  goHome: 'Go to home',
  goLogin: 'Go to login',
}
