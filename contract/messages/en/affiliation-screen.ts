import type { AffiliationTexts } from '../ko/affiliation-screen.ts'

/** `ko/affiliation-screen.ts` in English. */
export const affiliationScreen: AffiliationTexts = {
  lead: 'The affiliations to choose from at sign-up and user registration. Records keep a closed affiliation, but it cannot be chosen any more.',
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
  loading: 'Loading the affiliations.',
  empty: 'There are no affiliations.',
  failed: 'The affiliations could not be loaded.',
  open: 'In use',
  closed: 'Closed',
  usersOf: (name, count) => `Search the ${count} users of ${name}`,
  partnersOf: (name, count) => `Search the ${count} partner codes of ${name}`,
  keysOf: (name, count) => `Search the ${count} issued keys of ${name}`,

  add: 'Add an affiliation',
  addLead:
    'The code of the affiliation is assigned automatically. Its default partner code is created with it.',
  addMany: 'Add several',
  added: (name) => `The affiliation ‘${name}’ has been added.`,
  name: 'Korean name',
  nameEn: 'English name',
  nameEnHint: 'If empty, the Korean name is used for both.',
  save: 'Save',

  rename: 'Rename',
  renameOf: (name) => `Rename ${name}`,

  parent: 'Parent',
  parentOf: (name) => `Change the parent of ${name}`,
  external: 'Another company (external)',
  externalHint:
    'Its users, and those of affiliations below it, see only colleagues, keys and notices of that company, and notices whose audience names their affiliation. They have no permission that concerns the whole portal.',
  externalBadge: 'External',
  parentTitle: 'Parent affiliation',
  parentLead: (name) =>
    `Choose the affiliation above ‘${name}’ and those below it. Users of the parent who have a branch role then manage them as well.`,
  noParent: 'None (top level)',

  order: 'Change the order',
  orderLead:
    'The order in which lists and choices show them. Move the affiliations with the buttons, then save.',
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
    ask: (names, count, users) =>
      `Close ${count} ${count === 1 ? 'affiliation' : 'affiliations'}? Their ${users} users stay.\n${names}`,
    submit: (count) => `Close ${count}`,
    done: (count) => `${count} ${count === 1 ? 'affiliation has' : 'affiliations have'} been closed.`,
  },
  reopen: 'Reopen',
  reopenOf: (name) => `Reopen ${name}`,
  reopenText: (name) => `Reopen ‘${name}’?`,

  missing: 'None',
  makeOf: (name) => `Set the default partner code of ${name}`,
  make: 'Set',
  changeOf: (name) => `Change the default partner code of ${name}`,
  change: 'Change',
  partnerTitle: 'Default partner code',
  partnerLead: (name) => `The code that is preselected for ‘${name}’.`,
  choosePartner: 'Registered partner code',
  makeNew: 'Create a new one',
  makeTitle: 'Create a partner code',
  makeLead: 'It is created without validity dates. You can change that later on the partner code’s page.',
  made: (code) => `The partner code ${code} has been created.`,
}
