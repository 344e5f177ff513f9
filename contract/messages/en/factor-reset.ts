import type { FactorResetTexts } from '../ko/factor-reset.ts'

/** `ko/factor-reset.ts` in English. */
export const factorReset: FactorResetTexts = {
  loading: 'Loading the second factors.',
  failed: 'The second factors could not be loaded.',
  has: 'This user has a second factor.',
  hasNone: 'No second factor is set up.',
  alone: (userId) =>
    `No other administrator can take part in a reset with you. It takes one who has had a second factor for 3 days, who did not make or change your account within 30 days, nor you theirs, and who did not register, invite or rename this user, send a password or request another e-mail. The server operator can reset the second factors by maru admin reset ${userId}.`,
  noFactor:
    'To take part in a reset, you need a second factor of your own that you set up at least 3 days ago. Set one up on your page first.',
  involved:
    'You cannot take part in a reset. Within 30 days you, or an administrator whose account is not independent of yours, registered, invited or renamed this user, sent this user a password, or requested another e-mail. Other administrators have to request and confirm it.',
  related:
    'You cannot confirm it, because you and the requester are not independent. Within 30 days one of you made or changed the account of the other, or registered, invited or renamed this user, sent this user a password, or requested another e-mail. Or the requester set up the second factor less than 3 days ago. Another administrator has to confirm it.',
  passwordEnds:
    'This user’s password was set by another user, or was chosen without a second factor within the last 3 days. A reset disables this password as well. After 3 days the user can get a new password and log in. In urgent cases the server operator can run maru admin reset.',
  state: 'Request for a reset',
  waitsForOther: 'Waiting for another administrator to confirm.',
  waitsForYou: 'Please confirm or reject it.',
  asker: 'Requested by',
  reason: 'Reason',
  askedAt: 'Requested at',
  expiresAt: 'Expires at',
  ask: {
    open: 'Request a reset',
    title: 'Request a reset of the second factors',
    lead: 'Please make sure, by phone or in person, that this user has really lost both phone and recovery codes. Another administrator has to confirm it. The user is notified by mail.',
    done: 'The reset was requested. It takes effect once another administrator confirms it.',
  },
  withdraw: {
    open: 'Cancel the request',
    title: 'Cancel the request for a reset',
    lead: 'The request will be canceled. The second factors stay.',
    done: 'The request was canceled.',
  },
  confirm: {
    open: 'Confirm the reset',
    title: 'Confirm the reset of the second factors',
    lead: 'All second factors and recovery codes are deleted, and every device is logged out. The user logs in with the password alone and sets up new ones. Please verify the identity of the user yourself first.',
    done: 'The second factors were reset.',
  },
  refuse: {
    open: 'Reject the reset',
    title: 'Reject the reset of the second factors',
    lead: 'The second factors stay, and the user is notified by mail.',
    done: 'The request was rejected.',
  },
}
