import type * as z from 'zod/mini'
import type { FirstMessages, Messages } from './messages/ko.ts'

/**
 * Returns the sentence for the message of a schema. A message is a key with an optional argument: 'required',
 * 'tooLong|50'. Returns a text that is no such key, such as a form's own text, unchanged.
 */
export function validationText(messages: Pick<FirstMessages, 'validation'>, message: string): string {
  const [key = '', argument = ''] = message.split('|')
  const texts: Record<string, string | ((argument: string) => string)> = messages.validation
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined
  if (text === undefined) return message
  return typeof text === 'string' ? text : text(argument)
}

/**
 * Returns the outermost field that an issue is about, and a sentence for the user. The sentence starts with the label
 * of the field, if it has one. The field is undefined if the whole input is wrong, has an unknown field, or the path
 * names none.
 */
export function describeIssue(
  messages: Messages,
  issue: z.core.$ZodIssue,
): { field: string | undefined; msg: string } {
  const field =
    issue.code === 'unrecognized_keys' ? undefined : issue.path.find((key) => typeof key === 'string')
  const label = field === undefined ? undefined : (messages.fields as Record<string, string>)[field]
  const text = validationText(messages, messageKeyOf(issue))
  return { field, msg: label === undefined || text.startsWith(label) ? text : `${label}: ${text}` }
}

/**
 * Returns the message of an issue, which `validationText` makes a sentence: 'unknownField' for an unknown field,
 * 'notAnObject' if an object was expected, otherwise the message of the schema.
 */
function messageKeyOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'unknownField'
  if (issue.code === 'invalid_type' && issue.expected === 'object') return 'notAnObject'
  return issue.message
}
