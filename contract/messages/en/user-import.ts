import { fileImport } from './file-import.ts'
import type { userImport as ko } from '../ko/user-import.ts'

export const userImport: typeof ko = {
  ...fileImport,
  lead: 'Registers many users from one file. It is checked first; only when no row is wrong are all of them registered.',
  templateName: 'users_template',
  templateFailed: 'The affiliations and roles of the template could not be loaded. Please try again shortly.',
  examples: [
    { name: 'Gildong Hong', position: 'Manager' },
    { name: 'Younghee Kim', position: 'Staff' },
  ],
  columns: {
    userId: 'ID',
    name: 'Name',
    affiliationCode: 'Affiliation',
    position: 'Position',
    phoneNumber: 'Phone number',
    email: 'E-mail',
    roleCode: 'Authority',
    partnerCode: 'Partner code',
    validFrom: 'Valid from',
    validTo: 'Valid until',
  },
  drop: 'Drop a CSV or Excel (XLSX) file here, or choose one: up to 10,000 rows and 5 MB.',
  tooManyRows: 'At most 10,000 rows can be registered at once. Please split the file.',
  passwordNote: 'Passwords are not imported. The new users are mailed how to make one.',
  submit: (rows) => `Register ${rows} users`,
  done: (rows) => `${rows} users have been registered.`,
  toUsers: 'See the users',
  errorsName: 'users_errors',
  preview: 'Users to be registered',
  noPreview: 'No users to register.',
  shownOf: (shown, total) => `The first ${shown} of ${total} users are shown.`,
  twice: (row) => `The same as user no. ${row} of the file.`,
  noDefaultPartner: 'This affiliation has no default partner code. Please enter a partner code.',
  partnerUnknown: 'Not a partner code of this affiliation.',
  partnerStopped: 'This partner code is stopped.',
}
