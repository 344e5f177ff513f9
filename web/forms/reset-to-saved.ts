import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'

/** Returns whether two values differ as JSON. */
export const differ = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)

/**
 * Resets a form to the values of the saved record. Keeps as unsaved input what was typed while the record was read.
 * @param sent the form's values when the reading began
 * @param options.keepDirtyValues keeps all unsaved input
 */
export function resetToSaved<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  saved: Values,
  sent: Values,
  options?: { keepDirtyValues: boolean },
): void {
  const typed = form.getValues()
  form.reset(saved, options)
  for (const name of Object.keys(saved) as FieldPath<Values>[])
    if (differ(typed[name], sent[name])) form.setValue(name, typed[name], { shouldDirty: true })
}
