import { flushSync } from 'react-dom'
import { useFormContext } from 'react-hook-form'
import type { SettingsValues } from './form-values.ts'

/**
 * Returns a function that appends a row to a list of the form, which becomes dirty, and puts the focus on its name.
 * `append` of react-hook-form would mark the row as invalid before the user has typed anything.
 */
export function useAppend<List extends 'offices' | 'customFields'>(name: List) {
  const list: string = name
  const { getValues, setValue, setFocus } = useFormContext()
  return (row: SettingsValues[List][number]): void => {
    const rows: unknown[] = getValues(list)
    flushSync(() => setValue(list, [...rows, row], { shouldDirty: true }))
    setFocus(`${list}.${rows.length}.name`)
  }
}
