import type { Messages } from '../ko.ts'

/** `ko/affiliations.ts` in English. */
export const affiliations: Messages['affiliations'] = {
  titles: {
    affiliationManage: 'Affiliations',
  },

  help: {
    makePartner: 'Create a partner code',
    addAffiliation: 'Add an affiliation',
    missingAffiliation: 'Is the affiliation missing?',
    partnerBy: (roles) => `Users with the role ${roles} can create partner codes.`,
    affiliationBy: (roles) => `If the affiliation is missing, please ask a user with the role ${roles}.`,
    missingInFile: {
      affiliation: 'You can create missing affiliations here, then check the file again.',
      affiliationOrPartner:
        'You can create missing affiliations or partner codes here, then check the file again.',
    },
    again: 'Check again',
  },
}
