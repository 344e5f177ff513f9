/** Runs a benchmark: `npm run bench -- account-timing`. Without a name lists them with what they claim. */
import accessLog from './access-log.ts'
import accessSearch from './access-search.ts'
import accountTiming from './account-timing.ts'
import backup from './backup.ts'
import crowd from './crowd.ts'
import exportLists from './export-lists.ts'
import faults from './faults.ts'
import filesKill from './files-kill.ts'
import files from './files.ts'
import { closeAll, say } from './harness/bench.ts'
import importUsers from './import-users.ts'
import inputs from './inputs.ts'
import lists from './lists.ts'
import page from './page.ts'
import passwords from './passwords.ts'
import sockets from './sockets.ts'
import soak from './soak.ts'
import start from './start.ts'
import streams from './streams.ts'

const BENCHES = [
  lists,
  start,
  soak,
  page,
  files,
  exportLists,
  importUsers,
  backup,
  accessLog,
  accessSearch,
  crowd,
  passwords,
  sockets,
  streams,
  inputs,
  accountTiming,
  filesKill,
  faults,
]

// The caller of a benchmark works as hard as a thousand users.
process.env['CALL_LIMIT_PERCENT'] ??= '0'

const [name, ...args] = process.argv.slice(2)
const bench = BENCHES.find((each) => each.name === name)
if (bench !== undefined) {
  try {
    await bench.run(args)
  } finally {
    await closeAll()
  }
} else {
  if (name !== undefined) {
    say(`There is no benchmark "${name}". There are:`)
    process.exitCode = 1
  }
  for (const { name: each, claim, usage } of BENCHES) say(`\n${each}  ${usage}\n  ${claim}`)
}
