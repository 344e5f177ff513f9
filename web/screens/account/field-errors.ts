import type * as z from 'zod/mini'
import type { FirstMessages } from '../../../contract/messages/ko.ts'
import { validationText } from '../../../contract/validation.ts'

/** Returns the first error of each field of a small form, in the user's language. */
export function fieldErrors<S extends z.ZodMiniType>(
  messages: Pick<FirstMessages, 'validation'>,
  schema: S,
  value: z.input<S>,
): Partial<Record<keyof z.input<S>, string>> {
  const errors: Partial<Record<PropertyKey, string>> = {}
  for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
    errors[path[0] ?? ''] ??= validationText(messages, message)
  }
  return errors
}
