import type * as z from 'zod/mini'
import type { FirstMessages } from '../../../contract/messages/ko.ts'
import { validationText } from '../../../contract/validation.ts'

/** What is wrong with each field of a small form, in the person's words; the first fault of a field counts. */
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
