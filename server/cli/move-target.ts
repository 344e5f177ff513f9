import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StartRefusal } from '../startup-error.ts'

/** Word that names the embedded database as the target. */
export const OWN = 'own'

/** Help at the end of the refusals. */
const HOW =
  'Put the URL into MOVE_TO_URL (environment or .env) and run npm run move, or give it on standard input: npm run move -- - < FILE'

/**
 * Returns the database to move to: `own`, or a URL from the environment (MOVE_TO_URL), from standard input, or without a password
 * from the command line. Other users of the machine can read the command line (`ps`), and a shell keeps it.
 * @param words arguments after the command; `-` for standard input
 * @returns undefined if nothing names a database, or for more than one word
 * @throws {StartRefusal} if the command line has a password, or if the value is not a PostgreSQL URL
 */
export async function moveTarget(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  input: Readable,
): Promise<string | undefined> {
  const [word, ...more] = words
  if (words.some(hasPassword))
    throw new StartRefusal(
      `A password on the command line is visible to other users and stays in the shell history. Change the password if it is in use. ${HOW}`,
    )
  if (more.length > 0) return undefined
  if (word === OWN) return OWN
  const url = word === '-' ? (await text(input)).trim() : (word ?? env['MOVE_TO_URL'] ?? '')
  if (url === '' && word === undefined) return undefined
  // The value is not printed, because it may hold a password.
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new StartRefusal(
      `This is not the URL of a PostgreSQL database (postgres://user:password@host:5432/name). ${HOW}`,
    )
  return url
}

/** Returns whether a word contains a password: in a URL, also in its query, or in a connection string of libpq. */
function hasPassword(word: string): boolean {
  if (/\bpassword\s*=/i.test(decode(word))) return true
  if (!URL.canParse(word)) return /^postgres\w*:\/\/[^/?#:]*:[^/?#]*@/i.test(word)
  return new URL(word).password !== ''
}

/** Returns a text without percent-encoding; as it is if that is malformed. */
function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
