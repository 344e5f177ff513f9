import { plainPhone } from '../../../../contract/fields.ts'
import { IMPORT_COLUMNS, IMPORT_MAX_ROWS, type ImportColumn } from '../../../../contract/users/import.ts'
import { cleanDay, type FileShape } from '../../../imports/read-file.ts'
import { isExample } from './import-examples.ts'

/** What a file of new users looks like (rules/users#import). */
export const userFile: FileShape<ImportColumn> = {
  columns: IMPORT_COLUMNS,
  // Without partner codes everybody gets the one of their affiliation (rules/affiliations#default-partner).
  optional: ['partnerCode'],
  maxRows: IMPORT_MAX_ROWS,
  clean(column, text) {
    if (column === 'phoneNumber') {
      const bare = text.replaceAll(/[\s-]/g, '')
      // Excel takes 01012345678 for a number and drops its zero.
      return /^10\d{8}$/.test(bare) ? `0${bare}` : plainPhone(bare)
    }
    return column === 'validFrom' || column === 'validTo' ? cleanDay(text) : text
  },
  isExample,
}

/** What a file of registered users looks like (rules/users#update): what it lacks stays as it is. */
export const updateFile: FileShape<ImportColumn> = {
  ...userFile,
  optional: IMPORT_COLUMNS.filter((column) => column !== 'userId'),
}
