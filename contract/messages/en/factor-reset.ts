import type { FactorResetTexts } from '../ko/factor-reset.ts'

/** `ko/factor-reset.ts` in English. */
export const factorReset: FactorResetTexts = {
  loading: 'Loading the second factors.',
  failed: 'The second factors could not be loaded.',
  has: 'This person has a second factor.',
  hasNone: 'No second factor is set up.',
  alone: (userId) =>
    `There is no other administrator who could confirm a reset. Whoever runs the server can reset them by npm run admin -- reset ${userId}.`,
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
