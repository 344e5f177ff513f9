/** Runs a benchmark: `npm run bench -- account-timing`. Without a name lists them with what they claim. */
import { readdirSync } from 'node:fs'
import { type Bench, closeAll, say } from './harness/bench.ts'

/** Names of all benchmarks, from their files, as the command line takes them. */
const NAMES = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -'.ts'.length))

// The caller of a benchmark works as hard as a thousand users.
process.env['CALL_LIMIT_PERCENT'] ??= '0'

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void closeAll().then(() => process.exit(1)))

const [named, ...args] = process.argv.slice(2)
if (named !== undefined && NAMES.includes(named)) {
  try {
    await (await load(named)).run(args)
  } finally {
    await closeAll()
  }
} else {
  if (named !== undefined) {
    say(`There is no benchmark "${named}". There are:`)
    process.exitCode = 1
  }
  for (const name of NAMES) {
    const { claim, usage } = await load(name)
    say(`\n${name}  ${usage}\n  ${claim}`)
  }
}

/** Loads a benchmark by its file name without `.ts`. */
async function load(name: string): Promise<Bench> {
  const { default: bench } = (await import(`./${name}.ts`)) as { default: Bench }
  return bench
}
