import * as z from 'zod/mini'
import { usePortalMessages } from '../language.tsx'
import { sessionUserId } from '../session.ts'
import type { ColumnSizing } from '../ui/data-table.tsx'
import { useStoredChoices } from './use-stored-choices.ts'

const widths = z.record(z.string(), z.number())

/**
 * Returns the column widths that the user chose for a list (rules/lists#widths).
 * @param list name of the list in the storage key; undefined if its columns cannot be resized
 */
export function useWidths(list: string | undefined): ColumnSizing | undefined {
  const { widthOf, widthsReset } = usePortalMessages().lists
  const key = list && `widths_${list}_${sessionUserId() ?? ''}`
  const { choices, change, reset } = useStoredChoices(key, widths, widthsReset)
  return key === undefined ? undefined : { widths: choices, label: widthOf, onChange: change, onReset: reset }
}
