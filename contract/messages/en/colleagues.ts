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
    withdrawn: 'This person’s account was withdrawn.',
    away: 'This person’s details cannot be shown right now.',
    toUser: 'Show the user',
    toWithdrawn: 'Show the withdrawn account',
  },
  sharing: {
    title: 'What colleagues see',
    lead: 'Everybody who is signed in sees your name, affiliation and position. Of phone number and e-mail they see what you choose.',
    phoneShown: 'Show my phone number',
    emailShown: 'Show my e-mail',
    loading: 'Loading what colleagues see.',
    failed: 'What colleagues see could not be loaded.',
    saved: 'Saved.',
  },
}
