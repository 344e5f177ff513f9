import { generateDemo, type DemoAccounts } from '../db/demo/generate.ts'
import { runMaru, say } from './terminal.ts'

const SEED = 2026

// A folder of its own: demo data and real data never meet.
await runMaru({
  defaults: { DATA_DIR: './data/demo' },
  prepare: async ({ db }, { storage, passwords }) => {
    tell(await generateDemo(db, { storage, passwords, now: new Date(), seed: SEED }))
  },
})

function tell({ isNew, accounts }: DemoAccounts): void {
  const rows = accounts.map((account) => [account.userId, account.password, account.role, account.purpose])
  const table = [['userId', 'Password', 'Role', 'What for'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => width(row[column] ?? ''))))
  say(
    isNew
      ? 'Demo data written: anybody can read these passwords, so keep this server to yourself.'
      : 'The demo data is there already; a password that somebody changed is not the one shown here.',
  )
  for (const row of ['', ...table.map((cells) => line(cells, widths)), '']) say(row)
}

function line(cells: string[], widths: number[]): string {
  return `  ${cells.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell)))).join('   ')}`
}

/** Columns on a terminal: a Korean syllable takes two. */
function width(text: string): number {
  return Array.from(text).reduce(
    (sum, character) => sum + (/[\u1100-\u11ff\u3000-\u9fff\uac00-\ud7a3]/u.test(character) ? 2 : 1),
    0,
  )
}
