import * as z from 'zod/mini'

/**
 * The texts among the building blocks of every input (`fields.ts`): apart, because the login needs no others. A schema's message is a key of `messages.validation`, with one
 * argument after a bar where the text needs it ('tooLong|50'): `describeIssue` makes the sentence, in
 * the form as the person types and in the server's answer alike.
 */

// NUL breaks PostgreSQL text, noncharacters such as U+FFFE break XML, the others break logs, mails and file names.
export const CONTROL = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]/u
/**
 * What cannot be seen or turns the direction of writing: a name with it passes for another one. What joins emoji and
 * chooses their look stays where it does so.
 */
const UNSEEN = new RegExp(
  [
    String.raw`(?![\ufe0e\ufe0f\u200d])\p{Default_Ignorable_Code_Point}`,
    String.raw`\u2800`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d`,
    String.raw`\u200d(?!\p{Extended_Pictographic})`,
    String.raw`(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f](?!\u20e3)`,
  ].join('|'),
  'u',
)

/** To a person, a value that was left out is a missing field, not one of the wrong type. */
export const requiredText = {
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'required' : 'notText'),
}

/**
 * More marks on one letter than any script has: Unicode's stream-safe text format allows 30. Counts from the first mark alone: counted
 * from each, the cells of a file kept the server busy for seconds.
 */
const TOO_MANY_MARKS = /(?<!\p{M})\p{M}{31}/u

/** How many characters can become one in NFC. */
const NFC_SHRINKS_TO = 4

/**
 * Text in NFC, at most `max` characters of it; what every schema that composes text goes through. Composing takes the
 * square of the marks that follow one another, so what is too long or has too many of them is refused before.
 */
export function composed(max: number) {
  const tooLong = `tooLong|${max}`
  return [
    z.refine<string>((text) => text.length <= NFC_SHRINKS_TO * max, { error: tooLong, abort: true }),
    z.refine<string>((text) => !TOO_MANY_MARKS.test(text), { error: 'tooManyMarks', abort: true }),
    z.normalize('NFC'),
    z.maxLength(max, tooLong),
  ]
}

/** Whether two texts are the same once composed; they need not have been checked yet. */
export function areSameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => (TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC')))
  return a === b
}

/** NFC, any characters, at most `max` of them. */
export function anyText(max: number) {
  return z.string(requiredText).check(...composed(max))
}

/** What a single line is: no control character, none that cannot be seen. */
const isLine = [
  z.refine<string>((text) => !CONTROL.test(text), 'controlCharacter'),
  z.refine<string>((text) => !UNSEEN.test(text), 'unseenCharacter'),
]

/** Trimmed, NFC, one line, without control characters and what cannot be seen, 1 to `max` characters. */
export function line(max: number) {
  return z.string(requiredText).check(z.trim(), z.minLength(1, 'required'), ...composed(max), ...isLine)
}

/** Like `line`, or empty. */
export function lineOrEmpty(max: number) {
  return z.string(requiredText).check(z.trim(), ...composed(max), ...isLine)
}

/** A password entered to prove who one is; it need not meet the rules for new ones. */
export const anyPassword = anyText(128).check(z.minLength(1, 'required'))

/** Yes or no; 'Y' and 'N' on the wire. */
export const flag = z.boolean({ error: 'codeFormat' })
