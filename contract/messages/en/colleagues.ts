import type { ColleagueTexts } from '../ko/colleagues.ts'

/** `ko/colleagues.ts` in English. */
export const colleagues: ColleagueTexts = {
  search: {
    keyword: 'Name, phone number or e-mail',
    total: (count) => (count === '1' ? '1 colleague' : `${count} colleagues`),
    results: 'Colleagues',
    columns: {
      name: 'Name',
      affiliationName: 'Affiliation',
      teamName: 'Team',
      position: 'Position',
      phoneNumber: 'Phone number',
      email: 'E-mail',
    },
    loading: 'Loading the colleagues.',
    empty: 'No colleagues were found.',
    failed: 'The colleagues could not be loaded.',
  },
  hidden: 'Not shown',
  card: {
    label: (name) => `Profile of ${name}`,
    loading: 'Loading the profile.',
    failed: 'The profile could not be loaded.',
    withdrawn: 'This user’s account was withdrawn.',
    call: 'Call',
    mail: 'E-mail',
    away: 'This user’s details cannot be shown right now.',
    toUser: 'Show the user',
    toWithdrawn: 'Show the withdrawn account',
  },
  sharing: {
    title: 'What colleagues see',
    lead: 'Everyone who is logged in sees your name, affiliation and position. Choose who sees your phone number and e-mail.',
    phoneShown: 'Who sees my phone number',
    emailShown: 'Who sees my e-mail',
    levels: { all: 'All colleagues', affiliation: 'Own affiliation only', none: 'Nobody' },
    loading: 'Loading your visibility settings.',
    failed: 'Your visibility settings could not be loaded.',
    save: 'Save sharing',
    saved: 'Saved.',
  },
}
