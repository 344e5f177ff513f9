import { dictionary } from '@zxcvbn-ts/language-common'
import { convertHangulToQwerty } from 'es-hangul'
import { commonKorean } from './common-korean-passwords.ts'

// This is the only part of the contract with a library, because the list is data. The page loads it when the user types a password.

/** The data of a user that a password must not contain. */
export interface PasswordOwner {
  userId: string
  phoneNumber: string
  email: string
}

/**
 * Shortest part of the user's data, in characters, that a password must not contain. Many good passwords contain a
 * shorter one by chance.
 */
const SHORTEST_PART = 4
/** Number of last digits of a phone number that a password must not contain. */
const PHONE_DIGITS = 8
/** Common passwords. Users type Korean words on a Latin keyboard, and Latin words in Hangul mode: both are listed. */
const COMMON = new Set([
  ...dictionary['passwords-common'],
  ...commonKorean,
  ...commonKorean.map((word) => convertHangulToQwerty(word).toLowerCase()),
])

/**
 * Checks whether a new password is too easy to guess (rules/account#password-rules). The schema `newPassword`
 * has the other rules.
 * @returns PASSWORD_PERSONAL if `isPersonalPassword`, else PASSWORD_COMMON if `isCommonPassword`, else null
 */
export function passwordWeakness(
  password: string,
  person: PasswordOwner,
): 'PASSWORD_COMMON' | 'PASSWORD_PERSONAL' | null {
  if (isPersonalPassword(password, person)) return 'PASSWORD_PERSONAL'
  return isCommonPassword(password) ? 'PASSWORD_COMMON' : null
}

/**
 * Returns whether the password contains the user's ID, the local part of the email, or the last 8 digits of the phone
 * number. Ignores case, and an ID, local part or number below 4 characters (rules/account#password-rules).
 */
export function isPersonalPassword(password: string, person: PasswordOwner): boolean {
  return readingsOf(password).some((text) => isPersonal(text, person))
}

/**
 * Returns whether many people use the password (rules/account#password-rules). Compares it as typed on a
 * Latin and on a Korean keyboard, without digits or symbols around it, and with letters for similar signs.
 */
export function isCommonPassword(password: string): boolean {
  return readingsOf(password).some(isCommon)
}

/** Returns a password in lower case, as it is and as its keys on a Latin keyboard. */
function readingsOf(password: string): string[] {
  // Convert to keys before NFKC, which would treat single jamo as parts of a syllable.
  const keys = convertHangulToQwerty(password.normalize('NFC'))
  return [password, keys].map((text) => text.normalize('NFKC').toLowerCase())
}

/** Returns whether a text contains the user's ID, the local part of the email, or the end of the phone number. */
function isPersonal(text: string, { userId, phoneNumber, email }: PasswordOwner): boolean {
  const localPart = email.slice(0, email.lastIndexOf('@'))
  const words = [userId.toLowerCase(), localPart.toLowerCase()]
  if (words.some((word) => word.length >= SHORTEST_PART && text.includes(word))) return true
  // Only the digits: 010-1234-5678 is the number too.
  const phone = phoneNumber.replaceAll(/\D/g, '').slice(-PHONE_DIGITS)
  return phone.length >= SHORTEST_PART && text.replaceAll(/\D/g, '').includes(phone)
}

/** Returns whether a text is a common password, also with digits or symbols around it, and with signs instead of letters. */
function isCommon(text: string): boolean {
  const shapes = [text, withoutOuterSymbols(text), withoutOuterDigits(text)]
  return shapes.some((shape) => COMMON.has(shape) || COMMON.has(withoutLeet(shape)))
}

/** Returns a text without symbols at its ends: `!qwer1234!` becomes `qwer1234`. */
function withoutOuterSymbols(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+/u, '').replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '')
}

/**
 * Returns a text without a few digits at its ends: `2password2026!` becomes `password`. If more surrounds the word, the digits may
 * be the secret.
 */
function withoutOuterDigits(text: string): string {
  return text.replace(/^[^\p{L}]{0,2}(?=\p{L})/u, '').replace(/(?<=\p{L})[^\p{L}]{0,5}$/u, '')
}

/** Letters for the signs that users type instead of them, for `withoutLeet`. */
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

/** Returns a text with letters instead of similar signs. */
function withoutLeet(text: string): string {
  return text.replaceAll(/[@431!0$5]/g, (character) => LEET[character] ?? character)
}
