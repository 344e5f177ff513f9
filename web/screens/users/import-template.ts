import type { Messages } from '../../../contract/messages/ko.ts'
import { IMPORT_COLUMNS, IMPORT_MAX_ROWS, type ImportColumn } from '../../../contract/users.ts'
import { saveContent } from '../../api/save-content.ts'
import { EXAMPLES } from './import-examples.ts'
import { importHeadings } from './import-columns.ts'

/** What the template offers to choose from, by name. */
export type TemplateChoices = Record<'affiliationCode' | 'roleCode', readonly string[]>

/**
 * Saves a file of new users to fill in: headings, rows that show how (rules/users#template), and lists to choose affiliation and
 * role from. The choices stand on a sheet of their own: a list within a cell's rule ends at 255 characters.
 */
export async function saveTemplate(users: Messages['users'], choices: TemplateChoices): Promise<void> {
  const { writeXlsx } = await import('hucre/xlsx')
  const { import: t } = users
  const headings = importHeadings(users)
  const listed = ['affiliationCode', 'roleCode'] as const
  const examples = EXAMPLES.map((example, index) => {
    const row: Record<ImportColumn, string | Date> = {
      ...example,
      ...t.examples[index],
      affiliationCode: choices.affiliationCode[0] ?? '',
      roleCode: choices.roleCode.at(-1) ?? '',
      validFrom: firstOfYear(0),
      validTo: new Date(firstOfYear(1).getTime() - DAY_MS),
    }
    return IMPORT_COLUMNS.map((column) => row[column])
  })
  const length = Math.max(...listed.map((column) => choices[column].length))
  const bytes = await writeXlsx({
    sheets: [
      {
        name: t.templateName,
        columns: IMPORT_COLUMNS.map(() => ({ width: 20 })),
        rows: [IMPORT_COLUMNS.map((column) => headings[column]), ...examples],
        freezePane: { rows: 1 },
        dataValidations: listed.map((column, index) => ({
          type: 'list',
          range: cells(IMPORT_COLUMNS.indexOf(column), IMPORT_MAX_ROWS, ''),
          formula1: `'${t.choices}'!${cells(index, choices[column].length, '$')}`,
          allowBlank: true,
          // Codes are taken as well.
          showErrorMessage: true,
          errorStyle: 'warning',
        })),
      },
      {
        name: t.choices,
        columns: listed.map(() => ({ width: 24 })),
        rows: [
          listed.map((column) => headings[column]),
          ...Array.from({ length }, (_, at) => listed.map((column) => choices[column][at] ?? null)),
        ],
      },
    ],
  })
  saveContent(new Blob([new Uint8Array(bytes)]), `${t.templateName}.xlsx`)
}

const DAY_MS = 24 * 60 * 60_000

const firstOfYear = (later: number) => new Date(Date.UTC(new Date().getFullYear() + later, 0, 1))

/** So many cells of a column below its heading. */
function cells(column: number, count: number, fixed: '' | '$'): string {
  const letter = fixed + String.fromCodePoint('A'.charCodeAt(0) + column) + fixed
  return `${letter}2:${letter}${Math.max(count, 1) + 1}`
}
