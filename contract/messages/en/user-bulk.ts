import type { userBulk as ko } from '../ko/user-bulk.ts'

/** `ko/user-bulk.ts` in English. */
export const userBulk: typeof ko = {
  chosen: (count) => `${count} selected`,
  all: (count) => `Select all ${count} found`,
  actions: {
    extend: 'Extend validity',
    role: 'Change role',
    move: 'Move',
    suspend: 'Suspend',
    lift: 'Lift suspension',
    invite: 'Resend invitations',
    withdraw: 'Withdraw',
    restore: 'Undo withdrawal',
    undo: 'Undo',
  },
  lead: (count) =>
    `${count} users are selected. Before anything is changed, you see who is affected and how.`,
  next: 'Review',
  extendHint: 'Leave it empty to extend each account by a year from its own end date.',
  withdrawCount: (count) => `Enter the number of users to withdraw, ${count}`,
  back: 'Back',
  nobody: 'None of the selected users can be changed.',
  will: {
    extend: (count, to) =>
      to === ''
        ? `The validity of ${count} users will be extended by a year from their own end dates.`
        : `The validity of ${count} users will be extended to ${to}.`,
    role: (count, to) => `${count} users will have the role ‘${to}’.`,
    move: (count, to) => `${count} users will be moved to ‘${to}’.`,
    suspend: (count) =>
      `${count} users will be suspended and logged out immediately. The suspension can be lifted again.`,
    lift: (count) => `The suspension of ${count} users will be lifted. They can log in again.`,
    invite: (count) => `${count} users will receive a new invitation. Their previous links stop working.`,
    withdraw: (count) =>
      `${count} users will be withdrawn and logged out immediately. This can be undone within 30 days.`,
    restore: (count) =>
      `The withdrawal of ${count} users will be undone. Their accounts will be as they were, and they must log in again.`,
    undo: (count) => `Restores the values of ${count} users from before the bulk change.`,
  },
  endsTeam: (team) => `leaves the team ‘${team}’`,
  teamEnds: (count) => `${count} users leave their main team with their affiliation. Additional teams stay.`,
  people: 'Users to change',
  excluded: 'Excluded users',
  left: (count) => `${count} excluded:`,
  number: (count) => count,
  more: (count) => `and ${count} more`,
  obstacles: {
    OWN: 'your own account',
    OUT_OF_REACH: 'not managed by you',
    GONE: 'withdrawn or renamed',
    NOT_APPROVED: 'not approved',
    LAST_ADMIN: 'the last administrator',
    STARTS_LATER: 'begins later',
    ALREADY: 'no change needed',
    NOT_WITHDRAWN: 'not withdrawn',
    TOO_LATE: 'withdrawn more than 30 days ago',
    EMAIL_TAKEN: 'e-mail used by another account',
    EMAIL_TWICE: 'same e-mail as another selected account',
    ADMIN_NEEDED: 'needs a user with more permissions',
    NOT_INVITED: 'without an open invitation',
    CHANGED_SINCE: 'changed since then',
    FORMER_GONE: 'former value no longer available',
  },
  stale: 'Another user made changes in the meantime, so nothing was done. This is the current state.',
  run: {
    extend: (count) => `Extend ${count}`,
    role: (count) => `Change ${count}`,
    move: (count) => `Move ${count}`,
    suspend: (count) => `Suspend ${count}`,
    lift: (count) => `Lift ${count}`,
    invite: (count) => `Send ${count}`,
    withdraw: (count) => `Withdraw ${count}`,
    restore: (count) => `Undo ${count}`,
    undo: (count) => `Undo for ${count}`,
  },
  done: {
    extend: (count) => `The validity of ${count} users has been extended.`,
    role: (count) => `The role of ${count} users has been changed.`,
    move: (count) => `${count} users have been moved.`,
    suspend: (count) => `${count} users have been suspended.`,
    lift: (count) => `The suspension of ${count} users has been lifted.`,
    invite: (count) => `${count} invitations have been sent again.`,
    withdraw: (count) => `${count} users have been withdrawn.`,
    restore: (count) => `The withdrawal of ${count} users has been undone.`,
    undo: (count) => `The values of ${count} users have been restored.`,
  },
}
