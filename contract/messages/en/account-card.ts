import type { accountCard as korean } from '../ko/account-card.ts'

/** `ko/account-card.ts` in English. */
export const accountCard: typeof korean = {
  title: 'Account',
  state: 'State',
  states: {
    locked: (until) => `Locked by wrong passwords until ${until}`,
    passwordDisabled: 'Password disabled by wrong ones in a row',
    temporary: 'Temporary password',
    temporaryUntil: (until) => `Temporary password (until ${until})`,
    invited: (until) => `Invited (until ${until})`,
    pendingEmail: (email) => `E-mail to be confirmed: ${email}`,
    likeRunner: 'Name like an administrator’s',
    inUse: 'In use',
    notApproved: 'Not approved',
    suspended: 'Suspended',
    notYet: (from) => `Valid from ${from}`,
    expired: (to) => `Ended on ${to}`,
    ends: (to) => `Valid until ${to}`,
  },
  suspendedFor: {
    DISUSE: 'not used for long',
    LEAVE: 'on leave',
    INCIDENT: 'security incident',
    OTHER: 'other',
  },
  since: (time, why) => `Since ${time}, ${why}`,
  actions: 'Actions',
  reason: 'Reason',
  own: {
    title: 'Change e-mail',
    lead: (email) =>
      `Your e-mail is ${email}. It changes once you enter the number that is sent to the new address.`,
    newEmail: 'New e-mail',
    certify: 'Certify',
    submit: 'Certify and change',
    sent: 'Enter the 6 digits that were sent to the new address.',
    done: 'Your e-mail was changed.',
    told: 'The old address was notified.',
  },
  reasonHint: 'Up to 200 characters; kept on record.',
  unlock: {
    open: 'Unlock',
    title: 'End login lock',
    lead: (name) => `${name} can log in again at once.`,
    submit: 'Unlock',
    done: (name) => `The login lock of ${name} was ended.`,
  },
  reset: {
    open: 'Send temporary password',
    title: 'Send temporary password',
    lead: (email) =>
      `A temporary password goes to ${email}. The current password stops working, and every device is logged out. It is good for 24 hours.`,
    submit: 'Send',
    done: (email) => `A temporary password was sent to ${email}.`,
  },
  sessions: {
    open: 'Log out everywhere',
    title: 'Log out everywhere',
    lead: (name) => `${name} is logged out on every device, and can log in again.`,
    submit: 'Log out',
    done: (count) => `Logged out on ${count} ${count === 1 ? 'device' : 'devices'}.`,
  },
  invite: {
    open: 'Send invitation again',
    title: 'Send invitation again',
    lead: (email) => `A link to make a password goes to ${email}. The previous link stops working.`,
    submit: 'Send',
    done: (email) => `An invitation was sent to ${email}.`,
  },
  email: {
    open: 'Correct e-mail',
    title: 'Correct e-mail',
    lead: (email) =>
      `The present e-mail is ${email}. A link goes to the new address, and the e-mail changes when its owner confirms it. The present address is notified.`,
    newEmail: 'New e-mail',
    submit: 'Ask to confirm',
    done: (email) => `${email} was asked to confirm.`,
  },
  remove: {
    open: 'Delete account',
    title: 'Delete account',
    lead: (userId) =>
      `The account ${userId} is deleted for good. This cannot be undone; the ID is free again.`,
    submit: 'Delete',
    done: (userId) => `The account ${userId} was deleted.`,
  },
  suspend: {
    open: 'Suspend',
    title: 'Suspend account',
    lead: (name) =>
      `${name} is logged out at once and cannot log in until the suspension is lifted. The account and its data stay.`,
    why: 'Reason for suspension',
    words: 'Details',
    submit: 'Suspend',
    done: (name) => `The account of ${name} was suspended.`,
  },
  lift: {
    open: 'Lift suspension',
    title: 'Lift suspension',
    lead: (name) => `${name} can log in again.`,
    submit: 'Lift',
    done: (name) => `The suspension of ${name} was lifted.`,
  },
}
