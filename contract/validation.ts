import type * as z from 'zod/mini'
import type { FirstMessages, Messages } from './messages/ko.ts'

/**
 * The sentence for a schema's message ('required', 'tooLong|50').
 * A message that is no key (a form's own text) is given back as it is.
 */
export function validationText(messages: Pick<FirstMessages, 'validation'>, message: string): string {
  const [key = '', argument = ''] = message.split('|')
  const texts: Record<string, string | ((argument: string) => string)> = messages.validation
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined
  if (text === undefined) return message
  return typeof text === 'string' ? text : text(argument)
}

/**
 * What is wrong with an input, said of its first wrong field.
 * @returns the field's name (undefined when the whole is wrong) and the sentence, which names it
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

/** zod's own words appear where a schema gave none: a missing or mistyped whole, an unknown field. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'unknownField'
  if (issue.code === 'invalid_type' && issue.expected === 'object') return 'notAnObject'
  return issue.message
}
