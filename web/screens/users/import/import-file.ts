import { plainPhone } from '../../../../contract/fields.ts'
import { IMPORT_COLUMNS, IMPORT_MAX_ROWS, type ImportColumn } from '../../../../contract/users/import.ts'
import { cleanDay, type FileShape } from '../../../imports/read-file.ts'
import { isExample } from './import-examples.ts'

/** The format of a file of new users (rules/users#import). */
export const userFile: FileShape<ImportColumn> = {
  columns: IMPORT_COLUMNS,
  // Without partner codes every user gets the default code of the affiliation (rules/affiliations#default-partner).
  optional: ['partnerCode'],
  maxRows: IMPORT_MAX_ROWS,
  clean(column, text) {
    if (column === 'phoneNumber') {
      const bare = text.replaceAll(/[\s-]/g, '')
      // Excel reads 01012345678 as a number and drops the leading zero.
      return /^10\d{8}$/.test(bare) ? `0${bare}` : plainPhone(bare)
    }
    return column === 'validFrom' || column === 'validTo' ? cleanDay(text) : text
  },
  isExample,
}

/** The format of a file of registered users (rules/users#update). Missing columns stay unchanged. */
export const updateFile: FileShape<ImportColumn> = {
  ...userFile,
  optional: IMPORT_COLUMNS.filter((column) => column !== 'userId'),
}
