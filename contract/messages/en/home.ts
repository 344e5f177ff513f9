import type { Messages } from '../ko.ts'

/** `ko/home.ts` in English. */
export const home: Messages['home'] = {
  noticeHeading: 'notice search',
  noticesLoading: 'Loading the notices.',
  noticesEmpty: 'There are no notices yet.',
  noticesFailed: 'The notices could not be loaded.',
  openNotice: (title) => `Open ${title}`,

  panelFailed: 'Your permissions could not be loaded.',
  welcome: (name) => `Welcome, ${name}.`,
  welcomeText: 'Have a good day.',
}
