import type { Messages } from '../ko.ts'

/** `ko/affiliations.ts` in English. */
export const affiliations: Messages['affiliations'] = {
  titles: {
    affiliationManage: 'Affiliations',
  },

  help: {
    noPartner: 'This affiliation has no partner code.',
    makePartner: 'Make a partner code',
    addAffiliation: 'Add an affiliation',
    missingAffiliation: 'Is the affiliation missing?',
    partnerBy: (roles) => `Partner codes are made by people with the role ${roles}.`,
    affiliationBy: (roles) => `If the affiliation is missing, please ask somebody with the role ${roles}.`,
    missingInFile: {
      affiliation: 'Affiliations that are missing can be made here; then check the file again.',
      affiliationOrPartner:
        'Affiliations or partner codes that are missing can be made here; then check the file again.',
    },
    again: 'Check again',
  },
}
