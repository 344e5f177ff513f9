import type { fileImport as ko } from '../ko/file-import.ts'

/** `ko/file-import.ts` in English. */
export const fileImport: typeof ko = {
  template: 'Download template',
  choices: 'Choices',
  choose: 'Choose a file',
  chooseAnother: 'Choose another file',
  reading: 'Checking the file.',
  tooLarge: 'A file may have up to 5 MB.',
  unpacked:
    'The file is too large when unpacked. Delete the other sheets and the empty columns, or save the rows as CSV.',
  unreadable: 'This cannot be read as a CSV or XLSX file. Please check it and choose it again.',
  notTable:
    'No table was found in this file. Check that it is a CSV or XLSX file with column names in its first row, or fill in the template.',
  noRows: 'The file has no rows to register.',
  onlyExamples: 'The file has no rows to register. The example rows of the template are left out.',
  examplesLeft: (count) =>
    count === 1
      ? 'One example row of the template is not registered.'
      : `${count} example rows of the template are not registered.`,
  missingColumns: (names) => `The first row of the file lacks these columns: ${names}`,
  unknownColumns: (names) => `These columns are not in the template and are ignored: ${names}`,
  ready: (rows) => `The ${rows} rows have no errors. Nothing has been registered yet.`,
  wrong: (errors, rows) =>
    `Found ${errors} errors in ${rows} rows. Nothing was registered. Correct the file and choose it again.`,
  shownOnly: (count) => `Only the first ${count} are shown.`,
  errors: 'Errors',
  errorColumns: { line: 'Row', field: 'Field', value: 'Value', message: 'Message' },
  noErrors: 'No errors.',
  importing: 'Registering.',
  saveErrors: 'Download errors',
  keepGood: (rows) => `Keep only rows without errors (${rows})`,
  keepGoodHint: 'The rows with errors are saved as a file. Correct them and choose that file later.',
  restName: 'rows-with-errors',
  mapping: {
    title: 'Match columns',
    lead: 'Choose the field for each column of the file. This browser proposes the same fields for the next file with these column names.',
    ignored: 'Ignore',
    sample: (value) => `Such as: ${value}`,
    unnamed: (column) => `Column ${column}`,
    sharedLead: 'The file lacks these fields. Enter the value for all rows.',
    missing:
      'The file seems to lack these required fields. Choose a column for each. It may be one that another field has.',
    submit: 'Check the file',
  },
  twiceInFile: (line) => `The same as row ${line} of the file.`,
}
