import type { Messages } from '../ko.ts'

/** `ko/home.ts` in English. */
export const home: Messages['home'] = {
  titles: {
    main: 'Home',
  },

  noticeHeading: 'notice search',
  noticesLoading: 'Loading the notices.',
  noticesEmpty: 'no notices',
  noticesFailed: 'The notices could not be loaded.',
  openNotice: (title) => `Open ${title}`,

  panelFailed: 'Your permissions could not be loaded.',
  welcome: (name) => `Welcome, ${name}.`,
  welcomeText: 'Have a good day.',
}
