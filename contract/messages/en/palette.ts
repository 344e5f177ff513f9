import type { PaletteTexts } from '../ko/palette.ts'

/** `ko/palette.ts` in English. */
export const palette: PaletteTexts = {
  label: 'Find a page, a person or a notice',
  pages: 'Pages',
  commands: 'Commands',
  otherLayout: 'Other keyboard layout',
  searchFor: (text) => `Search for “${text}”`,
  issueKey: 'Issue a key',
  people: 'People',
  notices: 'Notices',
  allPeople: (count) => `Show all ${count} people`,
  allNotices: (count) => `Show all ${count} notices`,
  searching: 'Searching.',
  found: (count) => (count === 1 ? '1 result' : `${count} results`),
  empty: (text) => `Nothing was found for “${text}”.`,
  shortPeople: 'Type at least two letters to find people.',
  failed: 'Some results could not be loaded.',
  words: {
    '/setting/manage': 'Mail server, SMTP, list of positions, custom fields, logo, offices',
    '/setting/security': 'Idle timeout, automatic logout, sessions, IP, unused accounts, access log',
    '/setting/retention': 'Log retention period, access log',
    '/setting/system': 'Backups, disk, certificates',
  },
  keys: { move: 'move', open: 'open', close: 'close' },
}
