import type { PageMessages } from '../../../contract/messages/ko.ts'
import {
  importPartners,
  PARTNER_IMPORT_COLUMNS,
  PARTNER_IMPORT_MAX_ROWS,
  type PartnerImportColumn,
} from '../../../contract/partners/import.ts'
import { wireNames } from '../../../contract/wire.ts'
import {
  cleanDay,
  columnNames,
  type FileShape,
  type ImportFile,
  readImportFile,
} from '../../imports/read-file.ts'

/** Texts with the headings. */
type Words = Pick<PageMessages, 'partners' | 'fields'>

/**
 * Returns the heading of each column of an import file in the language of `Words`. They are those of the export, so
 * that an exported file can be imported (rules/partners#import-partners).
 */
export function importHeadings({ partners, fields }: Words): Record<PartnerImportColumn, string> {
  const { columns } = partners.search
  return {
    ...columns,
    affiliationCode: columns.affiliationName,
    contact: fields.contact,
    memo: partners.memo,
  }
}

/**
 * The example rows of the template (rules/partners#partner-template). An import leaves them out: they are recognized by
 * their code. A user who edits an example row replaces the code.
 */
export const EXAMPLES = [
  {
    partnerCode: 'EXAMPLE-01',
    provinceName: '서울특별시',
    districtName: '종로구',
    contact: '02-000-0000',
    maxKeysPerDay: 100,
    maxKeysPerWeek: 500,
    maxKeysPerMonth: 2000,
    maxKeysTotal: 10_000,
  },
  {
    partnerCode: 'EXAMPLE-02',
    provinceName: '부산광역시',
    districtName: '해운대구',
    contact: '',
    maxKeysPerDay: '',
    maxKeysPerWeek: '',
    maxKeysPerMonth: '',
    maxKeysTotal: '',
  },
] as const

/** Columns that a file must have. `shape` makes the others optional. */
const REQUIRED: ReadonlySet<PartnerImportColumn> = new Set([
  'partnerCode',
  'partnerType',
  'affiliationCode',
  'provinceName',
  'districtName',
])

/** Columns, limits and cleaning of an import file. */
const shape: FileShape<PartnerImportColumn> = {
  columns: PARTNER_IMPORT_COLUMNS,
  // These fields are optional in the form too.
  optional: PARTNER_IMPORT_COLUMNS.filter((column) => !REQUIRED.has(column)),
  maxRows: PARTNER_IMPORT_MAX_ROWS,
  clean(column, text) {
    // The API returns the end of the last day.
    return column === 'validFrom' || column === 'validTo' ? cleanDay(text.replace(/ 23:59:59$/, '')) : text
  },
  isExample: ({ partnerCode = '' }) => EXAMPLES.some((row) => row.partnerCode === partnerCode.toUpperCase()),
}

/**
 * Reads a file of new partner codes, without the example rows of the template. Its headings may be in either language
 * or wire names; a dialog asks the user about others.
 * @returns null if the user cancels that dialog
 * @throws {UnfitFile} if the file cannot be imported
 */
export async function readPartnerFile(file: File): Promise<ImportFile<PartnerImportColumn> | null> {
  const { toWire } = wireNames(importPartners)
  const [ko, koFields, en, enFields] = await Promise.all([
    import('../../../contract/messages/ko/partners.ts'),
    import('../../../contract/messages/ko/fields.ts'),
    import('../../../contract/messages/en/partners.ts'),
    import('../../../contract/messages/en/fields.ts'),
  ])
  const headings = [importHeadings({ ...ko, ...koFields }), importHeadings({ ...en, ...enFields })]
  const names = columnNames(PARTNER_IMPORT_COLUMNS, (column) => [
    ...headings.map((words) => words[column]),
    toWire(column),
  ])
  return readImportFile(file, shape, names)
}
