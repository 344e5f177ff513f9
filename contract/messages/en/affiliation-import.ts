import type { affiliationImport as ko } from '../ko/affiliation-import.ts'

/** `ko/affiliation-import.ts` in English. */
export const affiliationImport: typeof ko = {
  title: 'Add several affiliations',
  lead: 'One per line, typed or pasted from a spreadsheet. Separate the columns by commas or tabs; a name alone is enough.',
  lines: 'Affiliations',
  linesHint: 'Korean name, English name, partner code, province, district',
  file: 'Choose a file',
  fileHint: 'A CSV or XLSX file can be read as well.',
  place: 'Partner type for all lines, and region for lines without one',
  placeHint: 'Needed only if a line has no region.',
  columns: {
    name: 'Korean name',
    nameEn: 'English name',
    partnerCode: 'Partner code',
    provinceName: 'Province',
    districtName: 'District',
  },
  drawn: 'Automatic',
  check: 'Preview',
  preview: 'Affiliations to add',
  problems: 'Errors',
  problemColumns: { line: 'Line', field: 'Column', value: 'Entered', message: 'Error' },
  ready: (count) =>
    `${count} ${count === 1 ? 'affiliation' : 'affiliations'} can be added. Nothing has been added yet.`,
  wrong: (errors) => `${errors} ${errors === 1 ? 'entry is' : 'entries are'} wrong. Nothing has been added.`,
  back: 'Edit',
  submit: (count) => `Add ${count}`,
  done: (count) => `${count} ${count === 1 ? 'affiliation has' : 'affiliations have'} been added.`,
  twice: (row) => `The same as affiliation ${row}.`,
  unreadable: 'The file could not be read as CSV or XLSX. Please check it.',
  unpacked:
    'The file is too large when unpacked. Delete the other sheets and the empty columns, or save the rows as CSV.',
  tooLarge: 'A file may have up to 1 MB.',
  noRows: 'Please enter at least one affiliation.',
  tooMany: (most) => `Up to ${most} can be added at a time.`,
}
