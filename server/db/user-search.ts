import { type Expression, type RawBuilder, sql } from 'kysely'
import { disassemble } from 'es-hangul'
import { inOtherLayout } from '../../contract/keyboard-layout.ts'
import { contains, patternOf } from './list.ts'

/** Number of digits of the parts into which the SQL function `digits_of` splits a phone number for its index. */
const DIGITS = 3

/**
 * Returns the SQL condition that a name contains a text in any case. Uses an index of the letters of a name
 * (design/search#users-by-name-and-phone-number).
 */
export function nameContains(name: Expression<string>, text: string): RawBuilder<boolean> {
  const hasLetters = sql<boolean>`letters_of(${name}) @> letters_of(${text})`
  // A single letter needs no check of the order.
  return /^.$/su.test(text) ? hasLetters : sql<boolean>`(${hasLetters} and ${contains(name, text)})`
}

/**
 * Returns the SQL condition that a user matches the text of the search field (rules/users#search-field). Two or
 * more initial consonants match the name alone. Any other text matches login ID, name, email address, phone or
 * employee number in any case, also as typed in the other keyboard layout. The query must name the users `u`.
 */
export function userContains(text: string): RawBuilder<boolean> {
  const initials = initialsOf(text)
  if (initials !== undefined) return hasInitials(initials)
  return sql<boolean>`(${sql.join(meantTexts(text).map(anyFieldContains), sql` or `)})`
}

/**
 * Returns the SQL condition that a field of the user contains a text, or, for a number with hyphens or blanks, its
 * digits.
 */
function anyFieldContains(text: string): RawBuilder<boolean> {
  const digits = text.replaceAll(/[\s-]/g, '')
  const isNumber = digits !== text && /^\d+$/.test(digits)
  return isNumber
    ? sql<boolean>`(${anyFieldContainsTyped(text)} or ${anyFieldContainsTyped(digits)})`
    : anyFieldContainsTyped(text)
}

/**
 * Returns the texts to search for: the text itself, and the one that the same keys give in the other keyboard
 * layout, if any. That one is left out if it has single initial consonants, which Latin letters of an ID would
 * give.
 */
export function meantTexts(text: string): [string, ...string[]] {
  const other = inOtherLayout(text)
  return other === undefined || /[ㄱ-ㅎ]/.test(other) ? [text] : [text, other]
}

/** The consonants with which syllables begin, in the order of Unicode. */
const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
/** Code of the first Korean syllable in Unicode. The syllables of an initial consonant are consecutive. */
const FIRST_SYLLABLE = '가'.charCodeAt(0)
const SYLLABLES_OF_AN_INITIAL = 588

/**
 * Returns the letters of a text that consists of two or more initial consonants, without blanks; undefined for any
 * other text. Splits the letters that some input methods make of two, such as ㄳ.
 */
export function initialsOf(text: string): string[] | undefined {
  const letters = Array.from(disassemble(text.replaceAll(' ', '')))
  return letters.length > 1 && letters.every((letter) => INITIALS.includes(letter)) ? letters : undefined
}

/**
 * Returns the SQL condition that the name of the row `u` contains consecutive syllables that begin with these
 * consonants. A consonant also matches itself. Uses an index of pairs of initials
 * (design/search#users-by-one-search-field).
 */
function hasInitials(initials: readonly string[]): RawBuilder<boolean> {
  const syllables = initials.map((letter) => {
    const first = FIRST_SYLLABLE + INITIALS.indexOf(letter) * SYLLABLES_OF_AN_INITIAL
    return `[${letter}${String.fromCharCode(first)}-${String.fromCharCode(first + SYLLABLES_OF_AN_INITIAL - 1)}]`
  })
  return sql<boolean>`(pairs_of(initials_of(u.name)) @> ${pairsOf(initials)}::text[] and u.name ~ ${syllables.join('')})`
}

/** Returns every two consecutive characters as one text; none for fewer than two. */
const pairsOf = (characters: readonly string[]) =>
  characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`)

/** SQL expression for the searched fields of the user `u` in lower case, one per line. It is the expression of the index. */
const WORDS = sql<string>`lower(u.login_id || E'\\n' || u.name || E'\\n' || u.email || E'\\n' || u.phone_number
  || E'\\n' || coalesce(u.employee_number, ''))`

/**
 * Returns the SQL condition that a field of WORDS contains a text exactly as typed, in any case. A text has no
 * line break, so it cannot match across two fields.
 */
function anyFieldContainsTyped(text: string): RawBuilder<boolean> {
  const words = text.toLowerCase()
  const pairs = pairsOf(Array.from(words))
  const has = sql<boolean>`${WORDS} like ${patternOf(words)}`
  return pairs.length === 0 ? has : sql<boolean>`(pairs_of(${WORDS}) @> ${pairs}::text[] and ${has})`
}

/**
 * Returns the SQL condition that a phone number contains a text. Hyphens and blanks of a number are ignored. From
 * DIGITS characters on, it uses an index (design/search#users-by-name-and-phone-number).
 * @param phone SQL expression for stored digits without hyphens
 * @param typed the text, as the user entered it
 */
export function phoneContains(phone: Expression<string>, typed: string): RawBuilder<boolean> {
  const digits = typed.replaceAll(/[\s-]/g, '')
  const text = /^\d+$/.test(digits) ? digits : typed
  const parts = Array.from({ length: Math.max(text.length - DIGITS + 1, 0) }, (_, at) =>
    text.slice(at, at + DIGITS),
  )
  return parts.length === 0
    ? contains(phone, text)
    : sql<boolean>`(digits_of(${phone}) @> ${parts}::text[] and ${contains(phone, text)})`
}
