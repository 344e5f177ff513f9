import { type Expression, type RawBuilder, sql } from 'kysely'
import { contains } from './list.ts'

/** What `digits_of` cuts a phone number into. */
const DIGITS = 3

/** Whether any part of a name is the text, found by its letters (ADR 055). */
export function nameHas(name: Expression<string>, text: string): RawBuilder<boolean> {
  const hasLetters = sql<boolean>`letters_of(${name}) @> letters_of(${text})`
  // One letter has no order.
  return /^.$/su.test(text) ? hasLetters : sql<boolean>`(${hasLetters} and ${contains(name, text)})`
}

/** Whether any part of a phone number is the text, found by every three digits in a row (ADR 055). */
export function phoneHas(phone: Expression<string>, text: string): RawBuilder<boolean> {
  const parts = Array.from({ length: Math.max(text.length - DIGITS + 1, 0) }, (_, at) =>
    text.slice(at, at + DIGITS),
  )
  return parts.length === 0
    ? contains(phone, text)
    : sql<boolean>`(digits_of(${phone}) @> ${parts}::text[] and ${contains(phone, text)})`
}
