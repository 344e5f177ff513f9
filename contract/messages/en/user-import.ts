import type { Messages } from '../ko.ts'

export const userImport: Messages['users']['import'] = {
  lead: 'Registers many users from one file. It is checked first; only when no row is wrong are all of them registered.',
  template: 'Download template',
  templateName: 'users_template',
  choices: 'Choices',
  templateFailed:
    'The affiliations and authorities of the template could not be loaded. Please try again shortly.',
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
  choose: 'Choose a file',
  chooseAnother: 'Choose another file',
  drop: 'Drop a CSV or Excel (XLSX) file here, or choose one: up to 10,000 rows and 5 MB.',
  reading: 'Checking the file.',
  tooLarge: 'A file may have up to 5 MB.',
  unreadable: 'This cannot be read as a CSV or XLSX file. Please check it.',
  notTable:
    'No table was found in this file. Check that it is a CSV or XLSX file with column names in its first row, or fill in the template.',
  noRows: 'The file has no rows to register.',
  onlyExamples: 'The file has no rows to register. The example rows of the template are left out.',
  examplesLeft: (count) =>
    count === 1
      ? 'One example row of the template is not registered.'
      : `${count} example rows of the template are not registered.`,
  tooManyRows: 'At most 10,000 rows can be registered at once. Please split the file.',
  missingColumns: (names) => `The first row of the file lacks these columns: ${names}`,
  unknownColumns: (names) => `These columns are not in the template and are ignored: ${names}`,
  ready: (rows) => `Nothing is wrong with the ${rows} rows. Nothing has been registered yet.`,
  wrong: (errors, rows) =>
    `Found ${errors} errors in ${rows} rows. Nothing was registered. Mend the file and choose it again.`,
  shownOnly: (count) => `Only the first ${count} are shown.`,
  errors: 'Errors',
  errorColumns: { LINE: 'Row', field: 'Field', VALUE: 'Value', message: 'Message' },
  noErrors: 'No errors.',
  passwordNote: 'Passwords are not imported. The new users are mailed how to make one.',
  submit: (rows) => `Register ${rows} users`,
  importing: 'Registering.',
  done: (rows) => `${rows} users have been registered.`,
  saveErrors: 'Download errors',
  errorsName: 'users_errors',
  preview: 'Users to be registered',
  noPreview: 'No users to register.',
  more: (count) => `and ${count} more`,
  twiceInFile: (line) => `The same as row ${line} of the file.`,
  twice: (row) => `The same as user no. ${row} of the file.`,
  noDefaultPartner: 'This affiliation has no default partner code. Please enter a partner code.',
  partnerUnknown: 'Not a partner code of this affiliation.',
}
