import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { type Config, DEMO_DEFAULTS, readConfig } from '../config.ts'
import { StartRefusal } from '../start-refusal.ts'
import { readEnvFile, reasonOf } from './environment.ts'

/** What one of the operator's commands was given. */
export interface Given {
  config: Config
  /** What follows the command, in order. */
  words: string[]
  /** What follows `-c`. */
  command: string | undefined
  /** Which of the command's own flags were given. */
  flags: ReadonlySet<string>
  /** What follows `--until`. */
  until: string | undefined
}

const OPTIONS = {
  demo: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  command: { type: 'string', short: 'c' },
  until: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

/**
 * Runs one of the operator's commands: reads .env, the environment and its words, and ends with one clear line and status 1 when it
 * cannot do its work. With `--demo` it is about the data of `npm run demo`.
 * @param usage how it is called, for who calls it otherwise
 * @param work returns undefined when its words are not what it takes; false when it has told that something is wrong
 * @param flags what it takes beside them, as `--flag`
 */
export async function asOperator(
  usage: string,
  work: (given: Given) => Promise<boolean | undefined>,
  flags: readonly string[] = [],
): Promise<void> {
  // Whoever read along has seen enough (`| head`): the work goes on, and its status says how it ended.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    readEnvFile()
    const { values, positionals } = read(usage, flags)
    if (values.help) {
      process.stdout.write(`${usage}\n`)
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
    if (isGood === undefined) throw new StartRefusal(`It is called like this: ${usage}`)
    process.exitCode = isGood ? 0 : 1
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}

/** @throws {StartRefusal} at an option that it does not know, or one without its value */
function read(usage: string, flags: readonly string[]) {
  const own = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' } as const]))
  try {
    return parseArgs({ options: { ...own, ...OPTIONS }, allowPositionals: true, strict: true })
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error
    const [what] = error.message.split('. ')
    throw new StartRefusal(`${what}. It is called like this: ${usage}`)
  }
}
