import type { UpdateTexts } from '../ko/user-update.ts'

/** `ko/user-update.ts` in English. */
export const userUpdate: UpdateTexts = {
  mode: 'What the file is for',
  modes: { register: 'Register new users', update: 'Update existing users' },
  lead: 'Updates registered users from one file. Users are found by their ID. Values that are empty or have no column stay as they are. The file is checked first. All rows are updated only if none has errors.',
  notChanged:
    'E-mail addresses change only when their owners verify them. A file cannot change IDs or approvals. Masked (*) phone numbers and e-mail addresses stay as they are.',
  templateNote:
    'The template is the export of the user list: download it, edit what should change, and choose it.',
  toList: 'Export from the user list',
  drop: 'Drop an exported CSV or Excel (XLSX) file here, or choose one: up to 10,000 rows and 5 MB.',
  tooLarge: 'A file may have up to 5 MB.',
  notTable:
    'No table was found in this file. Check that it is a CSV or XLSX file with column names in its first row, or export the user list and edit it.',
  noRows: 'The file has no rows to update.',
  onlyExamples: 'The file has no rows to update. The example rows of the template are left out.',
  examplesLeft: (count) =>
    count === 1
      ? 'One example row of the template is left out.'
      : `${count} example rows of the template are left out.`,
  tooManyRows: 'At most 10,000 rows can be updated at a time. Please split the file.',
  unknownColumns: (names) => `These columns are not used for an update: ${names}`,
  ready: (rows) => `The ${rows} rows have no errors. Nothing has been updated yet.`,
  wrong: (errors, rows) =>
    `Found ${errors} errors in ${rows} rows. Nothing was updated. Correct the file and choose it again.`,
  counts: (changed, unchanged) => `To be updated: ${changed}. Unchanged: ${unchanged}.`,
  nobody: 'The file contains no changes. There is no user to update.',
  submit: (count) => (count === '1' ? 'Update 1 user' : `Update ${count} users`),
  importing: 'Updating.',
  done: (count) => (count === '1' ? 'One user has been updated.' : `${count} users have been updated.`),
  stale:
    'Another user made changes in the meantime, so nothing was updated. This is what the file would change now.',
  managerText: 'To update users, please enter your own password as the administrator who is logged in.',
  errorsName: 'users_update_errors',
  preview: 'Users to be updated',
  changes: 'Changes',
  none: '(none)',
  gone: 'Not registered, or withdrawn.',
  outOfReach: 'You may not manage this account.',
  own: 'Your own account cannot be updated by a file. Please use My info.',
  emailDiffers: 'Not the current e-mail address. It changes only when its owner verifies a new one.',
  maskedOther:
    'This masked value does not match the current one. Please enter it in full, or leave it empty.',
  partnerLeft:
    'A partner code of the previous affiliation. Left empty, it becomes the default one of the new affiliation.',
}
