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
 * The field of exports with users: phone numbers and emails are masked unless a caller with `autho_export_personal` sends the own
 * password (rules/lists#masking). A password from any other caller is FORBIDDEN.
 */
export const unmaskFields = {
  password: z._default(anyText(128), ''),
}
