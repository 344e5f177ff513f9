import type { GuideTexts } from '../ko/guide.ts'

/** `ko/guide.ts` in English. */
export const guide: GuideTexts = {
  lead: 'What a new portal needs. The order is up to you, and finished steps are marked automatically.',
  loading: 'Looking at what is set up.',
  failed: 'What is set up could not be looked at.',
  progress: (done, all) => `${done} of ${all} done`,
  done: 'Done',
  open: 'Open',
  go: 'Set up',
  look: 'Look at it',
  goTo: (title, what) => `${what}: ${title}`,
  steps: {
    company: ['Company name and logo', 'Choose the name and the logo for pages and subjects of mails.'],
    portalUrl: ['Address of the portal', 'Where the links of mails lead. Without it mails have no links.'],
    mail: [
      'Mail',
      'Send a test mail to an address that you read, to see that certification numbers and notifications go out.',
    ],
    ownAccount: [
      'Your e-mail address and password',
      'An e-mail address of your own for notifications, and a password that only you know.',
    ],
    offices: ['Offices', 'Addresses and numbers of head office and branches at the bottom of every page.'],
    affiliations: [
      'Affiliations and default partner codes',
      'Register the parts of your company as affiliations, each with a default partner code. Without a partner code nobody can be approved or registered.',
    ],
    hr: ['An account for HR', 'Register the HR administrator who will register and approve users.'],
  },
  lacks: {
    ownEmail:
      'Your password is set; your e-mail address is still a placeholder. Please register your own. It takes the certification number that is sent to it.',
    mailServer:
      'Set SMTP_URL on the server and restart it, then send a test mail. Until then certification numbers and notifications are not sent but kept as files of the server.',
  },
  later: 'Do it later',
  finish: 'Finish the guide',
  finishTitle: 'Finish the setup guide',
  finishText: (left) =>
    `Some steps are open: ${left}\nYou can go on in the portal settings at any time. Do you want to finish the guide?`,
  ready: 'The portal is ready.',
  readyText: 'People can now ask for an account, and log in as soon as an administrator has approved it.',
  next: 'What comes next',
  notReady: (count) => (count === 1 ? 'One step is open.' : `${count} steps are open.`),
  finished: 'The setup guide is finished.',
  toMain: 'To home',
}
