import { fileImport } from './file-import.ts'
import type { partnerImport as ko } from '../ko/partner-import.ts'

/** `ko/partner-import.ts` in English. */
export const partnerImport: typeof ko = {
  ...fileImport,
  lead: 'Registers many partner codes from one file. The file is checked first. All rows are registered only if none has errors.',
  templateName: 'partner_codes_template',
  templateFailed:
    'The affiliations and provinces of the template could not be loaded. Please try again shortly.',
  examples: [
    { partnerName: 'Jongno agency', memo: 'With limits and a validity' },
    { partnerName: 'Haeundae branch', memo: 'Empty limits and dates mean no limit.' },
  ],
  drop: 'Drop a CSV or Excel (XLSX) file here, or choose one: up to 1,000 rows and 5 MB.',
  tooManyRows: 'At most 1,000 rows can be registered at a time. Please split the file.',
  submit: (rows) => (rows === '1' ? 'Register 1 partner code' : `Register ${rows} partner codes`),
  done: (rows) =>
    rows === '1' ? '1 partner code has been registered.' : `${rows} partner codes have been registered.`,
  errorsName: 'partner_codes_errors',
  preview: 'Partner codes to be registered',
  noPreview: 'No partner codes to register.',
  shownOf: (shown, total) => `The first ${shown} of ${total} partner codes are shown.`,
  warnings: 'Limits to check',
  warningsLead:
    'Some limits are higher than the limit of a longer period. They can be registered as they are.',
  twice: (row) => `The same as partner code no. ${row} of the file.`,
}
