import type { FactorResetTexts } from '../ko/factor-reset.ts'

/** `ko/factor-reset.ts` in English. */
export const factorReset: FactorResetTexts = {
  loading: 'Loading the second factors.',
  failed: 'The second factors could not be loaded.',
  has: 'This person has a second factor.',
  hasNone: 'No second factor is set up.',
  alone: (userId) =>
    `No other administrator can take part in a reset with you. It takes one who has had a second factor for 3 days, who did not make or change your account within 30 days, nor you theirs, and who did not register, invite or rename this user, send a password or request another e-mail. The operator of the server can reset the second factors by npm run admin -- reset ${userId}.`,
  noFactor:
    'To take part in a reset, you need a second factor of your own that you set up at least 3 days ago. Set one up on your page first.',
  involved:
    'You cannot take part in a reset. Within 30 days you, or an administrator whose account is not independent of yours, registered, invited or renamed this user, sent this user a password, or requested another e-mail. Another administrator has to ask and confirm.',
  related:
    'You cannot confirm it, because you and the administrator who asked are not independent. Within 30 days one of you made or changed the account of the other, or registered, invited or renamed this user, sent this user a password, or requested another e-mail. Or the second factor of the administrator who asked is new. Another administrator has to confirm it.',
  passwordEnds:
    'The password of this user comes from somebody else, or was chosen within 3 days without a second factor. A reset ends it as well. The user can then log in again after 3 days, by a password that is sent, or earlier by npm run admin -- reset.',
  state: 'Request for a reset',
  waitsForOther: 'Waits for another administrator.',
  waitsForYou: 'Please confirm or refuse it.',
  asker: 'Asked by',
  reason: 'Reason',
  askedAt: 'Asked at',
  expiresAt: 'Ends at',
  ask: {
    open: 'Ask for a reset',
    title: 'Ask for a reset of the second factors',
    lead: 'Please make sure, by telephone or in person, that it is this person who has lost both phone and recovery codes. Another administrator has to confirm it. The person is told by mail.',
    done: 'The reset was asked for. It happens once another administrator confirms it.',
  },
  withdraw: {
    open: 'Withdraw the request',
    title: 'Withdraw the request for a reset',
    lead: 'The request is withdrawn. The second factors stay.',
    done: 'The request was withdrawn.',
  },
  confirm: {
    open: 'Confirm the reset',
    title: 'Confirm the reset of the second factors',
    lead: 'All second factors and recovery codes are removed, and every session ends. The person logs in by the password alone and sets new ones up. Please make sure yourself that it is this person.',
    done: 'The second factors were reset.',
  },
  refuse: {
    open: 'Refuse the reset',
    title: 'Refuse the reset of the second factors',
    lead: 'The second factors stay, and the person is told by mail.',
    done: 'The request was refused.',
  },
}
