import type { GuideTexts } from '../ko/guide.ts'

/** `ko/guide.ts` in English. */
export const guide: GuideTexts = {
  lead: 'Set up these items before you start. Finished steps are marked automatically.',
  loading: 'Loading the setup status.',
  failed: 'The setup status could not be loaded.',
  progress: (done, all) => `${done} of ${all} done`,
  done: 'Done',
  open: 'Open',
  go: 'Set up',
  look: 'View',
  goTo: (title, what) => `${what}: ${title}`,
  steps: {
    company: ['Company name and logo', 'The name and logo shown on pages and in the subjects of mails.'],
    portalUrl: [
      'Address of the portal',
      'The address that links in mails use. Without it, mails have no links.',
    ],
    mail: [
      'Mail',
      'Send a test mail to an address that you can read, to check that verification codes and notifications are sent.',
    ],
    ownAccount: [
      'Your e-mail address and password',
      'An e-mail address of your own for notifications, and a password that only you know.',
    ],
    offices: ['Offices', 'Addresses and numbers of head office and branches at the bottom of every page.'],
    affiliations: [
      'Affiliations and default partner codes',
      'Register the parts of your company as affiliations, each with a default partner code. Without a partner code no user can be approved or registered.',
    ],
    profiles: [
      'Names and positions',
      'Choose whether users or HR maintain names and positions. Save once, even if you keep the default.',
    ],
    hr: ['An account for HR', 'Register the HR administrator who will register and approve users.'],
  },
  lacks: {
    ownEmail:
      'Your password is set; your e-mail address is still a placeholder. Please register your own. You need the verification code that is sent to it.',
    mailServer:
      'Save a mail server, then send a test mail. Until then verification codes and notifications are not sent but saved as files on the server.',
  },
  later: 'Later',
  finish: 'Finish the guide',
  finishTitle: 'Finish the setup guide',
  finishText: (left) =>
    `Some steps are open: ${left}\nYou can continue in the portal settings at any time. Do you want to finish the guide?`,
  ready: 'The portal is ready.',
  readyText: 'Users can now sign up, and log in as soon as an administrator has approved them.',
  next: 'What comes next',
  notReady: (count) => (count === 1 ? 'One step is open.' : `${count} steps are open.`),
  finished: 'The setup guide is finished.',
  toMain: 'To home',
}
