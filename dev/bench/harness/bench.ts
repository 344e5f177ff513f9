import { parseArgs } from 'node:util'

/** Command-line options with their defaults. */
type Options = Readonly<Record<string, string | number | boolean>>

/** The values of options. A default of `true` or `false` is of type boolean, not of the literal. */
type Values<O extends Options> = {
  [K in keyof O]: O[K] extends number ? number : O[K] extends boolean ? boolean : string
}

/** A benchmark as its file describes it. */
interface Description<O extends Options> {
  name: string
  /** The statement that the benchmark supports, with its figures. */
  claim: string
  /** Command-line options with their defaults. */
  options: O
  run: (options: Values<O>) => Promise<void>
}

/** A benchmark that the command line can list and run. */
export interface Bench {
  name: string
  claim: string
  /** Options with their defaults, as the command line takes them. */
  usage: string
  /**
   * Runs the benchmark.
   * @param args command-line arguments after the name
   */
  run: (args: readonly string[]) => Promise<void>
}

/**
 * Describes a benchmark whose options come from the command line, each as `--name=value` and of the type of its
 * default. A boolean option has no value. The run rejects with an Error for an unknown option.
 */
export function defineBench<O extends Options>({ name, claim, options, run }: Description<O>): Bench {
  const entries = Object.entries(options)
  const types = entries.map(([key, value]) => [
    key,
    { type: typeof value === 'boolean' ? 'boolean' : 'string' },
  ])
  const parse = (args: readonly string[]) => {
    const { values }: { values: Record<string, unknown> } = parseArgs({
      args: [...args],
      options: Object.fromEntries(types) as Record<string, { type: 'string' | 'boolean' }>,
    })
    const parsed = entries.map(([key, value]) => {
      const given = values[key] ?? value
      return [key, typeof value === 'number' ? Number(given) : given]
    })
    return Object.fromEntries(parsed) as Values<O>
  }
  return {
    name,
    claim,
    usage: entries.map(([key, value]) => `--${key}${value === false ? '' : `=${value}`}`).join(' '),
    run: (args) => run(parse(args)),
  }
}

/** Functions that `atEnd` registered and that have not run yet. */
const closers: (() => unknown)[] = []

/** Registers a function that runs when the benchmark ends or fails. The last registered one runs first. */
export function atEnd(close: () => unknown): void {
  closers.push(close)
}

/** Runs all functions of `atEnd`, even if one throws. Prints their errors. */
export async function closeAll(): Promise<void> {
  while (closers.length > 0) {
    try {
      await closers.pop()?.()
    } catch (error) {
      say(String(error))
    }
  }
}

/** Prints a line on standard output. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
