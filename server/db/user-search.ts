import { type Expression, type RawBuilder, sql } from 'kysely'
import { disassemble } from 'es-hangul'
import { inOtherLayout } from '../../contract/keyboard-layout.ts'
import { contains, patternOf } from './list.ts'

/** Length of the parts into which `digits_of` splits a phone number. */
const DIGITS = 3

/**
 * Returns the SQL condition that a name contains a text in any case, with an index of its letters
 * (design/search#users-by-name-and-phone-number).
 */
export function nameContains(name: Expression<string>, text: string): RawBuilder<boolean> {
  const hasLetters = sql<boolean>`letters_of(${name}) @> letters_of(${text})`
  // A single letter needs no check of the order.
  return /^.$/su.test(text) ? hasLetters : sql<boolean>`(${hasLetters} and ${contains(name, text)})`
}

/**
 * Returns the SQL condition that the login ID, name, email address, phone or employee number of the row `u` contains a
 * text in any case, with an index of character pairs (design/search#users-by-one-search-field). A number is searched
 * without hyphens, too. Initial consonants find names (rules/users#search-field).
 */
export function userContains(text: string): RawBuilder<boolean> {
  const initials = initialsOf(text)
  if (initials !== undefined) return hasInitials(initials)
  return sql<boolean>`(${sql.join(meantTexts(text).map(hasText), sql` or `)})`
}

function hasText(text: string): RawBuilder<boolean> {
  const digits = text.replaceAll(/[\s-]/g, '')
  const isNumber = digits !== text && /^\d+$/.test(digits)
  return isNumber
    ? sql<boolean>`(${anyFieldContains(text)} or ${anyFieldContains(digits)})`
    : anyFieldContains(text)
}

/**
 * Returns the texts that a search field finds: the text, and the one that the same keys produce in the other keyboard layout.
 * Initial consonants are not meant by Latin letters, which an ID may have.
 */
export function meantTexts(text: string): [string, ...string[]] {
  const other = inOtherLayout(text)
  return other === undefined || /[ㄱ-ㅎ]/.test(other) ? [text] : [text, other]
}

/** The consonants with which syllables begin, in the order of Unicode. */
const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const FIRST_SYLLABLE = '가'.charCodeAt(0)
const SYLLABLES_OF_AN_INITIAL = 588

/**
 * Returns the initial consonants of which a text consists, two or more; undefined for any other text. Some input methods make
 * one letter of two, as ㄳ.
 */
export function initialsOf(text: string): string[] | undefined {
  const letters = Array.from(disassemble(text.replaceAll(' ', '')))
  return letters.length > 1 && letters.every((letter) => INITIALS.includes(letter)) ? letters : undefined
}

/**
 * Returns the SQL condition that the name of the row `u` has syllables with these initial consonants in a row, with an index of
 * their pairs (design/search#users-by-one-search-field).
 */
function hasInitials(initials: readonly string[]): RawBuilder<boolean> {
  const syllables = initials.map((letter) => {
    const first = FIRST_SYLLABLE + INITIALS.indexOf(letter) * SYLLABLES_OF_AN_INITIAL
    return `[${letter}${String.fromCharCode(first)}-${String.fromCharCode(first + SYLLABLES_OF_AN_INITIAL - 1)}]`
  })
  return sql<boolean>`(pairs_of(initials_of(u.name)) @> ${pairsOf(initials)}::text[] and u.name ~ ${syllables.join('')})`
}

const pairsOf = (characters: readonly string[]) =>
  characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`)

// The expression of the index. A search text has no line break.
const WORDS = sql<string>`lower(u.login_id || E'\\n' || u.name || E'\\n' || u.email || E'\\n' || u.phone_number
  || E'\\n' || coalesce(u.employee_number, ''))`

/** Returns the SQL condition that one of the fields of `WORDS` contains a text in any case. */
function anyFieldContains(text: string): RawBuilder<boolean> {
  const words = text.toLowerCase()
  const pairs = pairsOf(Array.from(words))
  const has = sql<boolean>`${WORDS} like ${patternOf(words)}`
  return pairs.length === 0 ? has : sql<boolean>`(pairs_of(${WORDS}) @> ${pairs}::text[] and ${has})`
}

/**
 * Returns the SQL condition that a phone number contains a text, with or without hyphens, with an index of three digits in a row
 * (design/search#users-by-name-and-phone-number).
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
