import type { HomeTexts } from '../ko/home.ts'

/** `ko/home.ts` in English. */
export const home: HomeTexts = {
  noticeHeading: 'notice search',
  noticesLoading: 'Loading the notices.',
  noticesEmpty: 'no notices',
  noticesFailed: 'The notices could not be loaded.',
  openNotice: (title) => `Open ${title}`,

  more: 'More',
  moreNotices: 'More notices',

  toDo: {
    heading: 'To do',
    loading: 'Loading your tasks.',
    failed: 'Your tasks could not be loaded.',
    nothing: 'Nothing to do right now.',
    cases: (count) => count,
    accounts: (count) => count,
    moreToRead: (count) =>
      count === '1'
        ? 'One more notice is waiting for your confirmation.'
        : `${count} more notices are waiting for your confirmation.`,
    requests: 'Waiting for approval',
    factorResets: 'Resets of second factors to decide',
    ending: 'Accounts that end within 30 days',
    nearLimit: 'Partners at 80% of a limit or more',
    inspections: 'Access log to inspect',
    reviews: 'Permissions to review',
    months: (count) => (count === '1' ? '1 month' : `${count} months`),
    quarters: (count) => (count === '1' ? '1 quarter' : `${count} quarters`),
    ownEnd: 'Your account ends soon.',
    lastDay: (day) => `Today (${day}) is its last day.`,
    daysLeft: (day, days) => `${day} is its last day, in ${days === 1 ? '1 day' : `${days} days`}.`,
  },
  keys: {
    heading: 'My latest keys',
    history: 'More of my key history',
    revoked: 'Revoked',
  },
  drafts: {
    heading: 'Not saved yet',
  },
  uploads: {
    heading: 'Files waiting for a notice',
    failed: 'The files that wait for a notice could not be loaded.',
    stored: 'Uploaded',
    unfinished: 'Upload not finished',
    goOn: 'Continue',
    goOnWith: (name) => `Continue: ${name}`,
    remove: 'Delete',
    removeOne: (name) => `Delete: ${name}`,
    removeTitle: 'Delete a file',
    question: (name) => `Delete ${name}? This cannot be undone.`,
  },
  quick: {
    heading: 'Quick actions',
    issueKey: 'Issue a key',
  },

  panelFailed: 'Your permissions could not be loaded.',
  welcome: (name) => `Welcome, ${name}.`,
  welcomeText: 'Have a good day.',
  factorHint: (day) =>
    `Please set up a second factor by ${day}. After that, you cannot use the portal without one.`,
  factorLink: 'Set it up on my page',
}
