/** Where PostgreSQL's time goes in a run: by statement, with the plan that it took. */
import { readFileSync, statSync } from 'node:fs'

const STATEMENTS = 10

/** Makes PostgreSQL log each statement over 5 ms with the plan that it took. */
export const PLANS_LOGGED = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '5ms',
  'auto_explain.log_analyze': 'on',
  // To read the clock for every row would take longer than the rows.
  'auto_explain.log_timing': 'off',
}

/** The statements that a PostgreSQL log tells of. */
export interface PlanLog {
  /** Reads what has come since; often, because of a log only the last megabytes are kept. */
  read(): void
  /** The slowest of Maru's, each once, with the plan of its slowest run. */
  slowest(): string[]
}

/** Begins where the log ends now. */
export function planLog(log: string): PlanLog {
  const slowest = new Map<string, { ms: number; plan: string; times: number }>()
  let position = sizeOf(log)
  let unfinished = ''

  function take(entry: string): void {
    const [, duration, plan = ''] = /duration: ([\d.]+) ms {2}plan:\n([^]*)/.exec(entry) ?? []
    if (duration === undefined || plan.includes('floor.')) return
    const statement = /Query Text: ([^]*?)\n\t(?=[A-Z][\w ]+ {2}\()/.exec(plan)?.[1] ?? plan
    const known = slowest.get(statement)
    const ms = Number(duration)
    slowest.set(statement, {
      times: (known?.times ?? 0) + 1,
      ...(known !== undefined && known.ms >= ms ? { ms: known.ms, plan: known.plan } : { ms, plan }),
    })
  }

  return {
    read() {
      let added = unfinished
      if (sizeOf(log) < position) {
        // It was put aside meanwhile, and a new one begun.
        added += readFileSync(`${log}.1`).subarray(position).toString()
        position = 0
      }
      if (sizeOf(log) > position) {
        const rest = readFileSync(log).subarray(position)
        added += rest.toString()
        position += rest.length
      }
      const entries = added.split(/^(?=\d{4}-\d\d-\d\d )/m)
      unfinished = entries.pop() ?? ''
      for (const entry of entries) take(entry)
    },
    slowest() {
      take(unfinished)
      return [...slowest.values()]
        .toSorted((a, b) => b.ms - a.ms)
        .slice(0, STATEMENTS)
        .flatMap(({ ms, times, plan }, i) => [
          `\n${i + 1}. ${ms.toFixed(1)} ms, ${times} times over 5 ms\n`,
          '```',
          plan.trimEnd(),
          '```',
        ])
    },
  }
}

/** 0 where there is none: it has just been put aside. */
function sizeOf(log: string): number {
  return statSync(log, { throwIfNoEntry: false })?.size ?? 0
}
