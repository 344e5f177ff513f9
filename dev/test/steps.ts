import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ensureBrowser, findChromium } from './chromium.ts'
import { ensureCluster } from './cluster.ts'
import { ensureSwift, withSwift } from './swift.ts'
import { findSystemPostgres, withSystemPostgres } from './system-postgres.ts'

/** Folder of the checkout. */
export const ROOT = resolve(import.meta.dirname, '../..')

/** Function that runs Node.js with these arguments in the checkout, and returns the exit code. */
export type RunNode = (args: string[], env?: Record<string, string>) => Promise<number>

/** Lanes that run concurrently. The steps of a lane run in sequence. */
export type Stage = readonly (readonly Step[])[]

/** Outcome of a step: passed, or the reason why it failed or was skipped. */
export type Outcome = 'passed' | { failed: string } | { skipped: string }

/** One thing that `npm test` checks. */
export interface Step {
  name: string
  /** Statement that is true if the step passes, for the terminal. */
  what: string
  /** Steps that also run if this step is chosen by name. */
  needs?: string[]
  /**
   * Runs the step.
   * @param note prints a line
   */
  run(node: RunNode, note: (line: string) => void): Promise<Outcome>
}

/**
 * Checks of CI, stage by stage. Steps that leave a core free share a stage: Prettier has one thread, and tests with other
 * programs wait for them. The browser's have both cores to themselves, because they measure how long pages take.
 */
const STAGES: readonly Stage[] = [
  [
    [
      {
        name: 'chromium',
        what: 'Chromium and a Korean font are there',
        run: () => {
          const problem = ensureBrowser()
          return Promise.resolve(problem === undefined ? 'passed' : { failed: problem })
        },
      },
    ],
  ],
  [
    [
      tool('types', 'TypeScript has no objection', 'typescript', 'tsc', []),
      tool('lint', 'oxlint has no objection', 'oxlint', 'oxlint', ['--type-aware', '--deny-warnings']),
    ],
    [
      // By content: a fresh checkout changes the times of files.
      tool('format', 'Prettier would change nothing', 'prettier', 'prettier', [
        '--check',
        '--cache',
        '--cache-strategy=content',
        '--cache-location=.cache/prettier',
        '.',
      ]),
      {
        name: 'build',
        what: 'the production build',
        run: async (node) => outcome(await node(['bin/maru.mjs', 'build'])),
      },
    ],
  ],
  [
    [
      tool('unit', "unit and API tests, on Maru's own PostgreSQL", 'vitest', 'vitest', [
        'run',
        '--project=server',
      ]),
    ],
    [
      { name: 'external', what: "a smaller set on the system's PostgreSQL", run: runExternal },
      { name: 's3', what: 'files in a bucket of OpenStack Swift, or of STORAGE_URL', run: runBucket },
      {
        name: 'cluster',
        what: 'two copies behind nginx; PgBouncer; a failover with Patroni and HAProxy; the logs in rsyslog',
        needs: ['build'],
        run: runCluster,
      },
    ],
  ],
  [
    [
      {
        name: 'browser',
        what: 'browser tests in Chromium, the size budget among them',
        needs: ['chromium', 'build'],
        run: async (node) =>
          outcome(
            await node([program('@playwright/test', 'playwright'), 'test', '--project=browser'], {
              CHROMIUM_PATH: findChromium() ?? '',
            }),
          ),
      },
    ],
  ],
]

/**
 * Returns the stages with the steps of these names and those that they need; all steps if there are no names.
 * @throws {Error} naming all steps, if a name is unknown
 */
export function chooseSteps(names: readonly string[]): Stage[] {
  const steps = STAGES.flat(2)
  const unknown = names.find((name) => !steps.some((step) => step.name === name))
  if (unknown !== undefined)
    throw new Error(
      `There is no step "${unknown}". The steps are: ${steps.map((step) => step.name).join(', ')}.`,
    )
  const wanted = new Set(
    steps
      .filter((step) => names.length === 0 || names.includes(step.name))
      .flatMap((step) => [step.name, ...(step.needs ?? [])]),
  )
  return STAGES.map((stage) =>
    stage.map((lane) => lane.filter((step) => wanted.has(step.name))).filter((lane) => lane.length > 0),
  )
}

/** Runs the tests of the project `external` on the system's PostgreSQL; skipped without one. */
async function runExternal(node: RunNode, note: (line: string) => void): Promise<Outcome> {
  const system = findSystemPostgres()
  if (!system)
    return { skipped: 'no PostgreSQL from 15 on is installed (on Debian: apt-get install postgresql)' }
  note(`PostgreSQL ${system.version} in ${system.home}`)
  return withSystemPostgres(system.home, async (url) =>
    outcome(await node([program('vitest', 'vitest'), 'run', '--project', 'external'], { DATABASE_URL: url })),
  )
}

/**
 * Runs the tests of the project `s3` in the bucket of STORAGE_URL, or of a new OpenStack Swift. Without Swift they are skipped,
 * and fail in CI.
 */
async function runBucket(node: RunNode): Promise<Outcome> {
  const tests = (url: string) =>
    node([program('vitest', 'vitest'), 'run', '--project', 's3'], { STORAGE_URL: url })
  const given = process.env['STORAGE_URL']
  if (given?.startsWith('s3:')) return outcome(await tests(given))
  const swift = ensureSwift()
  if ('problem' in swift) return process.env['CI'] ? { failed: swift.problem } : { skipped: swift.problem }
  return withSwift(swift.python, async (url) => outcome(await tests(url)))
}

/** Runs the tests of the projects `cluster` and `pooler`. Without their programs they are skipped, and fail in CI. */
async function runCluster(node: RunNode): Promise<Outcome> {
  const system = ensureCluster()
  if ('problem' in system) return process.env['CI'] ? { failed: system.problem } : { skipped: system.problem }
  const projects = ['--project', 'cluster', '--project', 'pooler']
  return outcome(
    await node([program('vitest', 'vitest'), 'run', ...projects], { POSTGRES_HOME: system.home }),
  )
}

/** Returns a step that runs the program of a package. */
function tool(name: string, what: string, from: string, bin: string, args: string[]): Step {
  return { name, what, run: async (node) => outcome(await node([program(from, bin), ...args])) }
}

/** Returns the outcome of an exit code. */
function outcome(code: number): Outcome {
  return code === 0 ? 'passed' : { failed: `ended with code ${code}; its own words are above` }
}

/** Returns the path of a package's program, a JavaScript file, which runs on the pinned Node on every platform alike. */
function program(name: string, bin: string): string {
  const folder = join(ROOT, 'node_modules', name)
  const manifest: { bin: string | Record<string, string> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]
  return join(folder, file ?? '')
}
