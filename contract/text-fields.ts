import * as z from 'zod/mini'

/**
 * The text schemas among the building blocks of every input (`fields.ts`). They are separate because the login needs no others. A
 * schema's message is a key of `messages.validation`, with one argument after a bar if the text needs it ('tooLong|50').
 * `describeIssue` makes the sentence from it, both in the form while the user types and in the server's response.
 */

/**
 * A character that no single line may contain. NUL is invalid in PostgreSQL text, noncharacters such as U+FFFE are
 * invalid in XML, and the others break logs, emails and file names.
 */
export const CONTROL = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]/u
/**
 * Characters that are invisible or change the writing direction: a name with one can imitate another name. Characters that join
 * emoji or select their style are allowed there.
 */
export const UNSEEN = new RegExp(
  [
    String.raw`(?![\ufe0e\ufe0f\u200d])\p{Default_Ignorable_Code_Point}`,
    String.raw`\u2800`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d`,
    String.raw`\u200d(?!\p{Extended_Pictographic})`,
    String.raw`(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f](?!\u20e3)`,
  ].join('|'),
  'u',
)

/** Error option of a text schema: a missing value is 'required', a value of another type is 'notText'. */
export const requiredText = {
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'required' : 'notText'),
}

/**
 * More marks on one letter than any script has: Unicode's stream-safe text format allows 30. The count starts only at the first
 * mark. Counting from each mark made the server spend seconds on the cells of a file.
 */
const TOO_MANY_MARKS = /(?<!\p{M})\p{M}{31}/u

/** The most characters that NFC can combine into one. */
const NFC_SHRINKS_TO = 4

/**
 * Returns the checks of text in NFC, at most `max` characters; every schema that normalizes text uses them.
 * The time to normalize grows with the square of consecutive marks. So a text that is too long or has too
 * many marks is refused before.
 */
export function normalizedText(max: number) {
  const tooLong = `tooLong|${max}`
  return [
    z.refine<string>((text) => text.length <= NFC_SHRINKS_TO * max, { error: tooLong, abort: true }),
    z.refine<string>((text) => !TOO_MANY_MARKS.test(text), { error: 'tooManyMarks', abort: true }),
    z.normalize('NFC'),
    z.maxLength(max, tooLong),
  ]
}

/**
 * Returns whether two texts are the same in NFC; they need not have been checked before. A text with too many
 * marks is compared as it is.
 */
export function areSameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => (TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC')))
  return a === b
}

/**
 * Creates a schema for a text in NFC with any characters, possibly empty, at most `max` of them ('tooLong',
 * 'tooManyMarks'). Does not trim it.
 */
export function anyText(max: number) {
  return z.string(requiredText).check(...normalizedText(max))
}

/**
 * The checks of a single line: no control characters ('controlCharacter') and no invisible ones ('unseenCharacter').
 */
const isLine = [
  z.refine<string>((text) => !CONTROL.test(text), 'controlCharacter'),
  z.refine<string>((text) => !UNSEEN.test(text), 'unseenCharacter'),
]

/**
 * Creates a schema for one trimmed line in NFC, 1 to `max` characters ('required', 'tooLong'), without control and
 * invisible characters ('controlCharacter', 'unseenCharacter').
 */
export function line(max: number) {
  return z.string(requiredText).check(z.trim(), z.minLength(1, 'required'), ...normalizedText(max), ...isLine)
}

/** Creates a schema for a text like `line`, or empty. A missing value is still 'required'. */
export function lineOrEmpty(max: number) {
  return z.string(requiredText).check(z.trim(), ...normalizedText(max), ...isLine)
}

/** Schema of a password that a user enters to prove the identity; it need not meet the rules for new ones. */
export const anyPassword = anyText(128).check(z.minLength(1, 'required'))

/** Schema of a boolean, otherwise 'codeFormat'; 'Y' and 'N' on the wire. */
export const flag = z.boolean({ error: 'codeFormat' })
