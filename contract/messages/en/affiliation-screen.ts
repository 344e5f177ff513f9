import type { AffiliationTexts } from '../ko/affiliation-screen.ts'

/** `ko/affiliation-screen.ts` in English. */
export const affiliationScreen: AffiliationTexts = {
  lead: 'What people choose from when they sign up or are registered. Records keep a closed affiliation, but it cannot be chosen any more.',
  lacking: (count) =>
    count === 1
      ? 'One affiliation has no default partner code. Please set one.'
      : `${count} affiliations have no default partner code. Please set one for each.`,
  samples: 'You can close sample affiliations that your company does not have.',
  list: 'Affiliations',
  columns: {
    affiliationCode: 'Code',
    name: 'Korean name',
    nameEn: 'English name',
    closed: 'State',
    userCount: 'Users',
    partnerCount: 'Partners',
    keyCount: 'Keys',
    partnerCode: 'Default partner code',
    actions: 'Manage',
  },
  loading: 'The affiliations are being loaded.',
  empty: 'There are no affiliations.',
  failed: 'The affiliations could not be loaded.',
  open: 'In use',
  closed: 'Closed',
  usersOf: (name, count) => `Search the ${count} users of ${name}`,
  partnersOf: (name, count) => `Search the ${count} partner codes of ${name}`,
  keysOf: (name, count) => `Search the ${count} issued keys of ${name}`,

  add: 'Add an affiliation',
  addLead:
    'The code of the affiliation is assigned automatically. The partner code that is chosen by default in it is made along with it.',
  addMany: 'Add several',
  added: (name) => `The affiliation ‘${name}’ has been added.`,
  name: 'Korean name',
  nameEn: 'English name',
  nameEnHint: 'Left empty, the Korean name stands for both.',
  partnerPart: 'Default partner code',
  save: 'Save',

  rename: 'Rename',
  renameOf: (name) => `Rename ${name}`,

  order: 'Change the order',
  orderLead: 'The order in which lists and choices show them. Move them with the buttons, then save.',
  orderList: 'Order of the affiliations',
  moveUp: (name) => `Move ${name} up`,
  moveDown: (name) => `Move ${name} down`,
  moved: (name, place) => `${name}: number ${place}`,

  close: 'Close',
  closeOf: (name) => `Close ${name}`,
  closeText: (name, people) =>
    `Close ‘${name}’?\nIts ${people} users stay, and it cannot be chosen any more.`,
  closeMany: {
    open: 'Close several',
    title: 'Close several affiliations',
    lead: 'Records keep a closed affiliation, but it cannot be chosen any more. It can be reopened later.',
    uses: (users, partners) => `Users: ${users} · Partner codes: ${partners}`,
    submit: (count) => `Close ${count}`,
    done: (count) => `${count} ${count === 1 ? 'affiliation has' : 'affiliations have'} been closed.`,
  },
  reopen: 'Reopen',
  reopenOf: (name) => `Reopen ${name}`,
  reopenText: (name) => `Take ‘${name}’ into use again?`,

  missing: 'None',
  makeOf: (name) => `Set the default partner code of ${name}`,
  make: 'Set',
  changeOf: (name) => `Change the default partner code of ${name}`,
  change: 'Change',
  partnerTitle: 'Default partner code',
  partnerLead: (name) => `The code that is chosen first wherever a partner code of ‘${name}’ is asked for.`,
  choosePartner: 'Registered partner code',
  makeNew: 'Make a new one',
  makeTitle: 'Make a partner code',
  makeLead: 'It is made without dates; the page of the partner code can change that later.',
  made: (code) => `The partner code ${code} has been made.`,
}
