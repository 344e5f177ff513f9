import type * as z from 'zod/mini'
import type { FirstMessages, Messages } from './messages/ko.ts'

/**
 * Converts the message of a schema ('required', 'tooLong|50') to a sentence. Returns a message that is not a
 * key, such as a form's own text, unchanged.
 */
export function validationText(messages: Pick<FirstMessages, 'validation'>, message: string): string {
  const [key = '', argument = ''] = message.split('|')
  const texts: Record<string, string | ((argument: string) => string)> = messages.validation
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined
  if (text === undefined) return message
  return typeof text === 'string' ? text : text(argument)
}

/**
 * Returns the outermost field with an issue of an input, and a sentence for the user that starts with the label of this
 * field. The field is undefined if the whole input is wrong or has an unknown field.
 */
export function describeIssue(
  messages: Messages,
  issue: z.core.$ZodIssue,
): { field: string | undefined; msg: string } {
  const field =
    issue.code === 'unrecognized_keys' ? undefined : issue.path.find((key) => typeof key === 'string')
  const label = field === undefined ? undefined : (messages.fields as Record<string, string>)[field]
  const text = validationText(messages, messageOf(issue))
  return { field, msg: label === undefined || text.startsWith(label) ? text : `${label}: ${text}` }
}

/**
 * Returns the message of an issue. The default messages of zod appear only if a schema has none: for a missing or mistyped input,
 * and an unknown field.
 */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'unknownField'
  if (issue.code === 'invalid_type' && issue.expected === 'object') return 'notAnObject'
  return issue.message
}
