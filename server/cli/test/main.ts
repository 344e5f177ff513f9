// `npm test`: everything CI runs, one step after the other, until one fails. `npm test -- unit browser` runs those
// steps only.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chooseSteps, ROOT } from './steps.ts'
import type { Outcome, RunNode, Step } from './steps.ts'

let running: ChildProcess | undefined
let interrupted = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true
    running?.kill(signal)
  })
}

process.exitCode = await main(process.argv.slice(2))

async function main(names: string[]): Promise<number> {
  let steps: Step[]
  try {
    steps = chooseSteps(names)
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    return 1
  }
  const results: { step: Step; outcome: Outcome; seconds: string }[] = []
  for (const step of steps) {
    say(`\n── ${step.name}: ${step.what}`)
    const begun = performance.now()
    const outcome = await attempt(step)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    results.push({ step, outcome, seconds })
    say(`── ${step.name} ${describe(outcome)} (${seconds} s)`)
    if (interrupted || (outcome !== 'passed' && 'failed' in outcome)) break
  }
  return summarise(results, steps.length)
}

async function attempt(step: Step): Promise<Outcome> {
  try {
    const outcome = await step.run(runNode)
    return interrupted ? { failed: 'interrupted' } : outcome
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

function summarise(
  results: readonly { step: Step; outcome: Outcome; seconds: string }[],
  wanted: number,
): number {
  say('')
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const { step, outcome, seconds } of results) {
    const kind = outcome === 'passed' ? 'passed' : 'failed' in outcome ? 'failed' : 'skipped'
    count[kind]++
    say(`${step.name.padEnd(10)}${seconds.padStart(7)} s  ${describe(outcome)}`)
  }
  if (results.length < wanted)
    say(`Stopped at the first failure; ${wanted - results.length} more steps did not run.`)
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
  say(`steps: ${count.passed} passed, ${count.failed} failed${skipped}`)
  return count.failed > 0 ? 1 : 0
}

function describe(outcome: Outcome): string {
  if (outcome === 'passed') return 'passed'
  return 'failed' in outcome ? `failed: ${outcome.failed}` : `skipped: ${outcome.skipped}`
}

function runNode(args: string[], env: Record<string, string> = {}): ReturnType<RunNode> {
  return new Promise((settle, fail) => {
    running = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      // Files lie in a bucket only where a step says so.
      env: { ...process.env, STORAGE_URL: '', ...env },
    })
    running.on('error', fail)
    running.on('exit', (code) => settle(code ?? 1))
  })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
