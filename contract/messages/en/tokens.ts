import type { TokenTexts } from '../ko/tokens.ts'

/** `ko/tokens.ts` in English. */
export const tokens: TokenTexts = {
  days: (days) => `${days} days`,
  validDays: 'Valid for',
  overlapDays: 'Previous token',
  overlap: (days) => (days === 0 ? 'Ends at once' : `Good for ${days} more ${days === 1 ? 'day' : 'days'}`),
  rollText:
    'A new token is made, and its validity begins anew. If the token may have been seen by others, let the previous one end at once.',
  states: {
    live: 'In force',
    soon: 'Ends soon',
    expired: 'Expired',
    revoked: 'Ended',
    account: 'Ended with the account',
  },
  previousUntil: (time) => `previous token until ${time}`,
  never: 'Never',
  roll: 'Roll over',
  once: 'It is shown only now. Put it where it is safe, then close.',
  token: 'Token',
  copy: 'Copy',
  copied: 'Copied.',
  copyFailed: 'It could not be copied. Please select and copy it yourself.',

  programs: {
    noPartner: 'Without a partner code no keys can be issued.',
    results: 'Program tokens',
    columns: {
      programName: 'Program name',
      state: 'State',
      expiresAt: 'Ends at',
      lastUsedAt: 'Last use',
      address: 'IP address',
      ACTIONS: 'Actions',
    },
    loading: 'Loading the program tokens.',
    empty: 'There are no program tokens.',
    failed: 'The program tokens could not be loaded.',
    name: 'Program name',
    make: 'Make a token',
    makeTitle: 'Make a program token',
    title: 'Program token',
    rollTitle: (name) => `Roll the token of ${name} over`,
    end: 'End',
    endOf: (name) => `End the token of ${name}`,
    endTitle: 'End a program token',
    endText: (name) => `${name} will no longer be able to issue keys, and this cannot be undone. End it?`,
  },
}
