import type { accountCard as korean } from '../ko/account-card.ts'

/** `ko/account-card.ts` in English. */
export const accountCard: typeof korean = {
  title: 'Account',
  state: 'State',
  states: {
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
  reasonHint: 'Up to 200 characters; kept on record.',
  suspend: {
    open: 'Suspend',
    title: 'Suspend account',
    lead: (name) =>
      `${name} is logged out at once and cannot log in until the suspension is lifted. The account and its data stay.`,
    why: 'Why',
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
