import type { ScimTexts } from '../ko/scim.ts'

export const scim: ScimTexts = {
  provisioning: 'Provisioning',
  titleOf: (name) => `Provisioning by ${name}`,
  loading: 'Loading provisioning.',
  failed: 'Provisioning could not be loaded.',
  disabled: 'This single sign-on is disabled, so its requests are refused.',
  managed: (count) => `It manages ${count.toLocaleString()} accounts.`,
  stopped: (time) =>
    `Suspensions and withdrawals have been stopped since ${time}: there were too many within an hour. Check the provider before you let it go on.`,
  release: 'Go on',
  released: 'It goes on without a limit for an hour.',
  noUrl: 'Save the portal address under Portal settings first.',
  url: 'SCIM URL',
  affiliation: 'Affiliation of new accounts',
  affiliationHint: 'For new accounts whose affiliation is unknown.',
  saved: 'Saved.',
  tokens: 'SCIM tokens',
  token: 'SCIM token',
  tokenLead: 'This token is shown only now. Copy it and enter it at the provider.',
  tokenOf: (created, by, used) =>
    `Created ${created} by ${by} · ${used === '' ? 'never used' : `last used ${used}`}`,
  create: 'Create token',
  end: 'End',
  endOf: (created) => `End the token created ${created}`,
  endTitle: 'End SCIM token',
  endText: 'The provider can no longer manage accounts with this token. End it?',
  ended: 'Ended.',
  candidates: 'Accounts to adopt',
  candidatesHint:
    'The provider wanted to create these accounts, but they exist. Once adopted, the provider can change, suspend and withdraw them.',
  candidateOf: ({ name, userId, email, scimName }) =>
    `${name} (${userId}) · ${email} · ${scimName} at the provider`,
  privileged: '(privileged, cannot be adopted)',
  adopt: 'Adopt',
  adoptTitle: 'Adopt accounts',
  adoptText: (count) => `The provider then manages ${count.toLocaleString()} accounts. Adopt them?`,
  adopted: 'Adopted.',
}
