// Plays the part of Maru in embedded.test.ts: starts the database, prints one JSON object per line about it, and stops it when
// its standard input ends.
import { StartRefusal } from '../../startup-error.ts'
import { startEmbedded } from '../embedded.ts'

const { dataDir, ...options }: { dataDir: string; settings?: Record<string, string> } = JSON.parse(
  process.argv[2] ?? '',
)

/** Prints an object as one line of JSON for the test that started this process. */
function say(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

try {
  const database = await startEmbedded({ dataDir, ...options, log: (line) => say({ line }) })
  say({ connection: database.connection, owner: database.owner })
  process.stdin.resume().on('end', () => void database.stop().then(() => process.exit(0)))
  say({ died: await database.exited })
  await database.stop()
  process.exit(3)
} catch (error) {
  if (!(error instanceof StartRefusal)) throw error
  say({ refused: error.message })
  process.exit(1)
}
