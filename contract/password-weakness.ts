import { dictionary } from '@zxcvbn-ts/language-common'
import { convertHangulToQwerty } from 'es-hangul'
import { commonKorean } from './common-korean.ts'

// The one part of the contract with a library: the list is data. The page loads it when a password is typed.

/** What a password must not be made of. */
export interface PasswordOwner {
  userId: string
  phoneNumber: string
  email: string
}

// Shorter parts occur in too many good passwords by chance.
const SHORTEST_PART = 4
const PHONE_DIGITS = 8
// Korean words are typed on a Latin keyboard, and Latin ones with the keyboard still in Hangul: both ways.
const COMMON = new Set([
  ...dictionary['passwords-common'],
  ...commonKorean,
  ...commonKorean.map((word) => convertHangulToQwerty(word).toLowerCase()),
])

/**
 * Why a new password is too easy to guess (rules/account#password-rules), beyond what the contract's `newPassword`
 * checks.
 * @returns PASSWORD_COMMON for one that many people use, on a Latin or a Korean keyboard, also when it only wears
 * digits or symbols around
 *   it or in place of letters; PASSWORD_PERSONAL for one with the person's ID, phone number (or its last 8
 *   digits) or the local part of the e-mail in it; null for a good one
 */
export function passwordWeakness(
  password: string,
  person: PasswordOwner,
): 'PASSWORD_COMMON' | 'PASSWORD_PERSONAL' | null {
  if (isPersonalPassword(password, person)) return 'PASSWORD_PERSONAL'
  return isCommonPassword(password) ? 'PASSWORD_COMMON' : null
}

/**
 * Whether the person's ID, phone number or the local part of the e-mail is in the password
 * (rules/account#password-rules).
 */
export function isPersonalPassword(password: string, person: PasswordOwner): boolean {
  return readingsOf(password).some((text) => isPersonal(text, person))
}

/** Whether many people use the password, on a Latin or a Korean keyboard (rules/account#password-rules). */
export function isCommonPassword(password: string): boolean {
  return readingsOf(password).some(isCommon)
}

function readingsOf(password: string): string[] {
  // The keys that were pressed, before NFKC takes single jamo for parts of a syllable.
  const keys = convertHangulToQwerty(password.normalize('NFC'))
  return [password, keys].map((text) => text.normalize('NFKC').toLowerCase())
}

function isPersonal(text: string, { userId, phoneNumber, email }: PasswordOwner): boolean {
  const localPart = email.slice(0, email.lastIndexOf('@'))
  const words = [userId.toLowerCase(), localPart.toLowerCase()]
  if (words.some((word) => word.length >= SHORTEST_PART && text.includes(word))) return true
  // Without what stands between: 010-1234-5678 is the number too.
  const phone = phoneNumber.replaceAll(/\D/g, '').slice(-PHONE_DIGITS)
  return phone.length >= SHORTEST_PART && text.replaceAll(/\D/g, '').includes(phone)
}

function isCommon(text: string): boolean {
  const shapes = [text, withoutOuterSymbols(text), withoutOuterDigits(text)]
  return shapes.some((shape) => COMMON.has(shape) || COMMON.has(withoutLeet(shape)))
}

/** `!qwer1234!` is `qwer1234`. */
function withoutOuterSymbols(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+/u, '').replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '')
}

/** `2password2026!` is `password`; with more around it than that, the digits may be the secret. */
function withoutOuterDigits(text: string): string {
  return text.replace(/^[^\p{L}]{0,2}(?=\p{L})/u, '').replace(/(?<=\p{L})[^\p{L}]{0,5}$/u, '')
}

const LEET: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
}

function withoutLeet(text: string): string {
  return text.replaceAll(/[@431!0$5]/g, (character) => LEET[character] ?? character)
}
