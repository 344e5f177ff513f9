import { type Expression, type RawBuilder, sql } from 'kysely'
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
 * without hyphens, too.
 */
export function userContains(text: string): RawBuilder<boolean> {
  const digits = text.replaceAll(/[\s-]/g, '')
  const isNumber = digits !== text && /^\d+$/.test(digits)
  return isNumber
    ? sql<boolean>`(${anyFieldContains(text)} or ${anyFieldContains(digits)})`
    : anyFieldContains(text)
}

// The expression of the index. A search text has no line break.
const WORDS = sql<string>`lower(u.login_id || E'\\n' || u.name || E'\\n' || u.email || E'\\n' || u.phone_number
  || E'\\n' || coalesce(u.employee_number, ''))`

/** Returns the SQL condition that one of the fields of `WORDS` contains a text in any case. */
function anyFieldContains(text: string): RawBuilder<boolean> {
  const words = text.toLowerCase()
  const characters = Array.from(words)
  const pairs = characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`)
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
