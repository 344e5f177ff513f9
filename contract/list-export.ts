import * as z from 'zod/mini'
import { anyText, line } from './fields.ts'

/** The file formats of an exported list. */
export const EXPORT_FORMATS = ['xlsx', 'csv'] as const

/** A file format of an exported list. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/**
 * The fields of every export in addition to the filters and the order of its list. The audit log stores the reason
 * (design/lists-and-counts#export).
 */
export const exportFields = {
  format: z.enum(EXPORT_FORMATS, 'codeFormat'),
  reason: line(200),
}

/**
 * Creates the field of an export for the columns that the caller wants, in this order; none for all
 * (rules/lists#export-columns).
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the schema that is given back is of C
export function columnFields<const C extends string>(columns: readonly C[]) {
  return {
    columns: z._default(
      z
        .array(z.enum(columns, 'codeFormat'), 'notAList')
        .check(z.maxLength(columns.length, `tooManyChosen|${columns.length}`)),
      [],
    ),
  }
}

/**
 * The field of exports with users: phone numbers and emails are masked unless a caller with `autho_export_personal` sends the own
 * password (rules/lists#masking). A password from any other caller is FORBIDDEN.
 */
export const unmaskFields = {
  password: z._default(anyText(128), ''),
}
