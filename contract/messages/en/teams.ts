import type { teams as korean } from '../ko/teams.ts'

/** `ko/teams.ts` in English. */
export const teams: typeof korean = {
  none: 'None',
  noTeam: 'No team',
  add: 'Add',
  remove: (name) => `Remove ${name}`,
  ownHint: 'Administrators choose your teams.',
  leaves: (team) => `Another affiliation ends the membership of the present team (${team}).`,

  tree: 'Organization',
  lead: 'Choose an affiliation or a team to see its people. Those of a team include teams below it and additional members.',
  wholeCompany: 'Whole company',
  toggle: (name) => `Expand or collapse ${name}`,
  members: (name) => `People: ${name}`,
  loading: 'Loading the organization.',
  failed: 'The organization could not be loaded.',

  create: 'Add team',
  addMembers: 'Add members',
  createBelow: 'Add team below',
  edit: 'Edit team',
  delete: 'Delete team',
  deleteText: (name) => `Do you want to delete this team?\n${name}`,
  deleted: (name) => `The team was deleted: ${name}`,
  created: (name) => `The team was added: ${name}`,
  name: 'Korean name',
  nameEn: 'English name',
  nameEnHint: 'Without one, the Korean name is used.',
  parent: 'Team above',
  noParent: 'None (directly below the affiliation)',
  save: 'Save',
}
