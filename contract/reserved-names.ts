import * as z from 'zod/mini'
import { userId } from './fields.ts'

/** The names that users take for the operator of the portal: in Latin letters, typed on an English keyboard, in Korean. */
const RUNNERS = [
  'admin',
  'administrator',
  'sysadmin',
  'superuser',
  'root',
  'system',
  'maru',
  'rhksflwk',
  'gwanrija',
]
/** Words for the operator in a name. */
const RUNNER_NAMES = /관리자|운영자|시스템|admin/

/** The Latin letter for each digit, Latin, Cyrillic, Greek or Armenian character that looks like it, for `glance`. */
const LIKE: Record<string, string> = {
  0: 'o',
  1: 'i',
  l: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  а: 'a',
  α: 'a',
  ԁ: 'd',
  е: 'e',
  ε: 'e',
  і: 'i',
  ι: 'i',
  м: 'm',
  п: 'n',
  ո: 'n',
  о: 'o',
  ο: 'o',
  г: 'r',
  ѕ: 's',
  т: 't',
  τ: 't',
}

/**
 * Returns a text as a reader sees it at a glance: lower-case letters and digits, with similar ones replaced
 * by one letter.
 */
function glance(text: string): string {
  const letters = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return Array.from(letters, (letter) => LIKE[letter] ?? letter)
    .join('')
    .replaceAll('rn', 'm')
}

/** The names of RUNNERS as a reader sees them at a glance. */
const runners = new Set(RUNNERS.map(glance))

/**
 * Returns whether a user ID looks like that of the operator of the portal (rules/users#reserved-names).
 * Returns false for a text that is longer than any ID.
 */
export const isRunnersId = (id: string): boolean => id.length <= 20 && runners.has(glance(id))

/**
 * Returns whether a name contains a word for the operator of the portal, or one that looks like it
 * (rules/users#reserved-names). Ignores blanks and symbols between its letters.
 */
export const isRunnersName = (name: string): boolean => RUNNER_NAMES.test(glance(name.normalize('NFKC')))

/** IDs that databases, spreadsheets and JavaScript read as a special value, in lower case. */
const PROGRAM_WORDS = [
  'null',
  'undefined',
  'none',
  'void',
  'true',
  'false',
  'infinity',
  '__proto__',
  'constructor',
  'prototype',
]

/**
 * Returns whether programs read a user ID, in lower case, as a special value (rules/users#reserved-words).
 */
export const isProgramWord = (id: string): boolean => PROGRAM_WORDS.includes(id)

/**
 * A user ID that a user chooses: not like that of the operator ('userIdOfRunner'), and no special value of programs
 * ('userIdOfProgram').
 */
export const newUserId = userId.check(
  z.refine((id) => !isRunnersId(id), 'userIdOfRunner'),
  z.refine((id) => !isProgramWord(id), 'userIdOfProgram'),
)
