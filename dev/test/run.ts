import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Outcome, ROOT, type RunNode, type Stage, type Step } from './steps.ts'

/** Outcome and duration of a step. */
export interface Result {
  step: Step
  outcome: Outcome
  seconds: string
}

/** A run of steps. */
export interface Run {
  /** Resolves with the results when all steps have run, or one has failed; without the steps that this ended. */
  results: Promise<Result[]>
  /** Sends this signal to the running steps, and starts no more. */
  interrupt: (signal: NodeJS.Signals) => void
}

/**
 * Runs stages sequentially and the lanes of each concurrently, until a step fails.
 * @param say receives the output: of concurrent steps, that of each step as a whole at its end
 */
export function runStages(stages: readonly Stage[], say: (text: string) => void): Run {
  const children = new Set<ChildProcess>()
  const results: Result[] = []
  let isStopped = false
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true
    for (const child of children) child.kill(signal)
  }
  let interrupted = false

  /**
   * Runs the steps of a lane in sequence.
   * @param isAlone true to print the output while the step runs
   */
  async function runLane(lane: readonly Step[], isAlone: boolean): Promise<void> {
    for (const step of lane) {
      if (isStopped) return
      const heading = `\n── ${step.name}: ${step.what}\n`
      if (isAlone) say(heading)
      const begun = performance.now()
      const { outcome, words } = await attempt(step, isAlone)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      // Ended because another step failed, so its outcome means nothing.
      if (isStopped && !interrupted) return
      results.push({ step, outcome, seconds })
      say(`${isAlone ? '' : heading + words}── ${step.name} ${describe(outcome)} (${seconds} s)\n`)
      if (outcome !== 'passed' && 'failed' in outcome) stop('SIGTERM')
    }
  }

  /** Runs a step, and returns its outcome and output. */
  async function attempt(step: Step, isAlone: boolean): Promise<{ outcome: Outcome; words: string }> {
    const folder = mkdtempSync(join(tmpdir(), 'maru-step-'))
    const file = join(folder, 'words')
    // A file, which holds whatever comes while this process is busy.
    const output = isAlone ? ('inherit' as const) : openSync(file, 'a')
    const wordsOf = () => (isAlone ? '' : readFileSync(file, 'utf8'))
    const note = (line: string) => (isAlone ? say(`${line}\n`) : appendFileSync(file, `${line}\n`))
    try {
      const outcome = await step.run(nodeWith(output), note)
      return { outcome: interrupted ? { failed: 'interrupted' } : outcome, words: wordsOf() }
    } catch (error) {
      return { outcome: { failed: error instanceof Error ? error.message : String(error) }, words: wordsOf() }
    } finally {
      if (output !== 'inherit') closeSync(output)
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** Returns a function that runs Node.js with this output. */
  const nodeWith =
    (output: 'inherit' | number): RunNode =>
    (args, env = {}) =>
      new Promise((settle, fail) => {
        const child = spawn(process.execPath, args, {
          cwd: ROOT,
          stdio: ['ignore', output, output],
          // Files lie in a bucket only where a step says so.
          env: { ...process.env, STORAGE_URL: '', ...env },
        })
        children.add(child)
        child.on('error', fail)
        child.on('exit', (code) => {
          children.delete(child)
          settle(code ?? 1)
        })
        if (isStopped) child.kill()
      })

  /** Runs the stages in order, and the lanes of a stage concurrently. */
  async function runAll(): Promise<Result[]> {
    for (const stage of stages) await Promise.all(stage.map((lane) => runLane(lane, stage.length === 1)))
    return results
  }

  return {
    results: runAll(),
    interrupt: (signal) => {
      interrupted = true
      stop(signal)
    },
  }
}

/** Returns the text of an outcome. */
export function describe(outcome: Outcome): string {
  if (outcome === 'passed') return 'passed'
  return 'failed' in outcome ? `failed: ${outcome.failed}` : `skipped: ${outcome.skipped}`
}
