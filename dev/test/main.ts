// `npm test`: everything CI runs, stage by stage, until a step fails. `npm test -- unit browser` runs those steps only.
import { describe, type Result, runStages } from './run.ts'
import { chooseSteps, type Stage } from './steps.ts'

process.exitCode = await main(process.argv.slice(2))

/** Runs the steps of these names, prints the results, and returns the exit status. */
async function main(names: string[]): Promise<number> {
  let stages: Stage[]
  try {
    stages = chooseSteps(names)
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
  const run = runStages(stages, say)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.interrupt(signal))
  const steps = stages.flat(2)
  const results = await run.results
  return summarise(
    results.toSorted((a, b) => steps.indexOf(a.step) - steps.indexOf(b.step)),
    steps.length,
  )
}

/**
 * Prints the results, and returns the exit status.
 * @param wanted number of steps that should have run
 */
function summarise(results: readonly Result[], wanted: number): number {
  say('\n')
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const { step, outcome, seconds } of results) {
    const kind = outcome === 'passed' ? 'passed' : 'failed' in outcome ? 'failed' : 'skipped'
    count[kind]++
    say(`${step.name.padEnd(10)}${seconds.padStart(7)} s  ${describe(outcome)}\n`)
  }
  if (results.length < wanted)
    say(`Stopped at the first failure; ${wanted - results.length} more steps did not run to their end.\n`)
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
  say(`steps: ${count.passed} passed, ${count.failed} failed${skipped}\n`)
  return count.failed > 0 ? 1 : 0
}

/** Prints a text to the standard output. */
function say(text: string): void {
  process.stdout.write(text)
}
