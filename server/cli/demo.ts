import { generateDemo, type DemoAccounts } from '../../dev/demo/generate.ts'
import { DEMO_DEFAULTS } from '../config.ts'
import { say } from './environment.ts'
import { runMaru } from './terminal.ts'

/** Seed of the random demo data, so that it is always the same. */
const SEED = 2026

// `npm run demo`: starts Maru with demo data, which it writes if there is none, and prints the demo accounts.
await runMaru({
  defaults: DEMO_DEFAULTS,
  prepare: async ({ db }, { storage, passwords, keySecret }) => {
    printAccounts(await generateDemo(db, { storage, passwords, now: new Date(), seed: SEED, keySecret }))
  },
})

/** Prints the demo accounts with their passwords. */
function printAccounts({ isNew, accounts }: DemoAccounts): void {
  // The role names come last, because a Korean syllable is as wide as two letters.
  const rows = accounts.map(({ userId, password, purpose, role }) => [userId, password, purpose, role])
  const table = [['ID', 'Password', 'What for', 'Role'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  say(
    isNew
      ? 'Demo data written. These passwords are public, so do not expose this server.'
      : 'The demo data exists already. Passwords that were changed differ from those shown here.',
  )
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   '))
  for (const line of ['', ...lines.map((text) => `  ${text}`), '']) say(line)
}
