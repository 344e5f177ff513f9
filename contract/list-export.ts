import * as z from 'zod/mini'
import { anyText, line } from './fields.ts'

/** The forms of an exported list. */
export const EXPORT_FORMATS = ['xlsx', 'csv'] as const

/** The form of an exported list. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What every export takes beside the filters and the order of its list. The reason stays on record (design/lists-and-counts#export). */
export const exportFields = {
  format: z.enum(EXPORT_FORMATS, 'codeFormat'),
  reason: line(200),
}

/**
 * For lists of people: phone numbers and e-mails are masked unless somebody who holds `autho_export_personal` gives their
 * own password (rules/lists#masking); from anybody else a password is FORBIDDEN.
 */
export const unmaskFields = {
  password: z._default(anyText(128), ''),
}
