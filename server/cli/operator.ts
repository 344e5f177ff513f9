import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { type Config, DEMO_DEFAULTS, readConfig } from '../config.ts'
import type { StorageKey } from '../services/storage.ts'
import { StartRefusal } from '../startup-error.ts'
import { inBundle, readEnvFile, reasonOf, say } from './environment.ts'

/** Parsed input of an operator command. */
export interface OperatorInput {
  config: Config
  /** Words after the command and its options, in order. */
  words: string[]
  /** Value of `-c`. */
  command: string | undefined
  /** Flags of the command that were given. */
  flags: ReadonlySet<string>
  /** Value of `--until`. */
  until: string | undefined
}

/** Options of every operator command. */
const OPTIONS = {
  demo: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  command: { type: 'string', short: 'c' },
  until: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

/**
 * Runs an operator command: reads `.env`, the environment and the command line. If the command cannot do its work, it prints one
 * line and exits with status 1. With `--demo` it works on the data of `npm run demo`, and with `--help` it prints the usage only.
 * @param usage how to call the command, printed if it was called differently
 * @param work returns true after success, undefined if the words are not valid arguments, and false (status 1) if it has reported
 * a problem
 * @param flags flags that the command accepts in addition to its words, as `--flag`
 */
export async function runOperatorCommand(
  usage: string,
  work: (given: OperatorInput) => Promise<boolean | undefined>,
  flags: readonly string[] = [],
): Promise<void> {
  // The reader of the output may close it early (`| head`). The work continues, and its exit status reports the result.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    readEnvFile()
    const { values, positionals } = parseCommandLine(usage, flags)
    if (values.help) {
      say(usage)
      return
    }
    const config = readConfig(process.env, values.demo ? DEMO_DEFAULTS : {})
    const isGood = await work({
      config,
      words: positionals,
      command: values.command,
      until: values.until,
      flags: new Set(flags.filter((flag) => (values as Record<string, unknown>)[flag] === true)),
    })
    if (isGood === undefined) throw new StartRefusal(`Usage: ${usage}`)
    process.exitCode = isGood ? 0 : 1
  } catch (error) {
    process.stderr.write(`${inBundle(reasonOf(error))}\n`)
    process.exitCode = 1
  }
}

/**
 * Returns one line about files that rows name and that are missing.
 * @param missing at least one file
 * @param where states where they are missing, as “not in the storage”
 */
export function warnOfMissing(missing: readonly StorageKey[], where: string): string {
  const [first] = missing
  return `WARNING: ${missing.length} files that rows name are ${where}, for example ${first?.path}/${first?.name}. npm run check lists their notices.`
}

/**
 * Parses the command line.
 * @throws {StartRefusal} with the usage, if an option is unknown or lacks its value
 */
function parseCommandLine(usage: string, flags: readonly string[]) {
  const own = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' } as const]))
  try {
    return parseArgs({ options: { ...own, ...OPTIONS }, allowPositionals: true, strict: true })
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error
    const [what] = error.message.split('. ')
    throw new StartRefusal(`${what}. Usage: ${usage}`)
  }
}
