import { useState } from 'react'
import * as z from 'zod/mini'
import { readStorage } from '../read-storage.ts'
import { usePortalMessages } from '../language.tsx'
import { sessionUserId } from '../session.ts'
import type { ColumnSizing } from '../ui/data-table.tsx'
import { showToast } from '../ui/toasts.ts'
import type { Widths } from '../ui/use-column-widths.ts'

const widths = z.record(z.string(), z.number())

/** Where a person's widths of a list's columns are kept: for each list its own, for everybody at this browser theirs. */
const keyOf = (list: string) => `widths_${list}_${sessionUserId() ?? ''}`

/**
 * The widths that a person chose for the columns of a list (rules/lists#widths).
 * @param list names it in the browser's storage; without a name nothing can be resized
 */
export function useWidths(list: string | undefined): ColumnSizing | undefined {
  const { widthOf, widthsReset } = usePortalMessages().lists
  const [chosen, setChosen] = useState<Widths>(() =>
    list === undefined ? {} : (readStorage(localStorage, keyOf(list), widths) ?? {}),
  )
  if (list === undefined) return undefined
  const key = keyOf(list)
  function change(next: Widths): void {
    setChosen(next)
    if (Object.keys(next).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(next))
  }
  return {
    widths: chosen,
    label: widthOf,
    onChange: change,
    onReset() {
      if (Object.keys(chosen).length === 0) return
      change({})
      showToast(widthsReset, () => change(chosen))
    },
  }
}
