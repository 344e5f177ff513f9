import { type Expression, type RawBuilder, sql } from 'kysely'
import { contains, patternOf } from './list.ts'

/** What `digits_of` cuts a phone number into. */
const DIGITS = 3

/** Whether any part of a name is the text, found by its letters (ADR 055). */
export function nameHas(name: Expression<string>, text: string): RawBuilder<boolean> {
  const hasLetters = sql<boolean>`letters_of(${name}) @> letters_of(${text})`
  // One letter has no order.
  return /^.$/su.test(text) ? hasLetters : sql<boolean>`(${hasLetters} and ${contains(name, text)})`
}

/**
 * Whether any part of ID, name, e-mail or phone number of the row `u` is the text, found by every two characters in a row
 * (ADR 063). A number is looked for without the hyphens that people write in it, too.
 */
export function personHas(text: string): RawBuilder<boolean> {
  const digits = text.replaceAll(/[\s-]/g, '')
  const isNumber = digits !== text && /^\d+$/.test(digits)
  return isNumber ? sql<boolean>`(${anyHas(text)} or ${anyHas(digits)})` : anyHas(text)
}

// As the index has it; what is looked for has no line break.
const WORDS = sql<string>`lower(u.login_id || E'\\n' || u.name || E'\\n' || u.email || E'\\n' || u.phone_number)`

function anyHas(text: string): RawBuilder<boolean> {
  const words = text.toLowerCase()
  const characters = Array.from(words)
  const pairs = characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`)
  const has = sql<boolean>`${WORDS} like ${patternOf(words)}`
  return pairs.length === 0 ? has : sql<boolean>`(pairs_of(${WORDS}) @> ${pairs}::text[] and ${has})`
}

/**
 * Whether any part of a phone number is the text, with or without hyphens, found by every three digits in a row (ADR 055).
 */
export function phoneHas(phone: Expression<string>, typed: string): RawBuilder<boolean> {
  const digits = typed.replaceAll(/[\s-]/g, '')
  const text = /^\d+$/.test(digits) ? digits : typed
  const parts = Array.from({ length: Math.max(text.length - DIGITS + 1, 0) }, (_, at) =>
    text.slice(at, at + DIGITS),
  )
  return parts.length === 0
    ? contains(phone, text)
    : sql<boolean>`(digits_of(${phone}) @> ${parts}::text[] and ${contains(phone, text)})`
}
