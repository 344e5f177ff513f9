import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Prints a document; with `--write FILE` on the command line it writes it to this file instead. */
export function print(text: string): void {
  const { write } = parseArgs({ options: { write: { type: 'string' } } }).values
  if (write === undefined) process.stdout.write(text)
  else writeFileSync(write, text)
}
