/** Where PostgreSQL's time goes in a run: by statement, with the plan that it took. */
import { existsSync, readFileSync } from 'node:fs'

const STATEMENTS = 10

/** Makes PostgreSQL log each statement over 5 ms with the plan that it took. */
export const PLANS_LOGGED = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '5ms',
  'auto_explain.log_analyze': 'on',
  // To read the clock for every row would take longer than the rows.
  'auto_explain.log_timing': 'off',
}

/** The slowest of Maru's statements in a PostgreSQL log from a place on, each once, with the plan of its slowest run. */
export function statementsOf(log: string, from: number): string[] {
  if (!existsSync(log)) return []
  const slowest = new Map<string, { ms: number; plan: string; times: number }>()
  const entries = readFileSync(log, 'utf8')
    .slice(from)
    .split(/^(?=\d{4}-\d\d-\d\d )/m)
  for (const entry of entries) {
    const [, duration, plan = ''] = /duration: ([\d.]+) ms {2}plan:\n([^]*)/.exec(entry) ?? []
    if (duration === undefined || plan.includes('floor.')) continue
    const statement = /Query Text: ([^]*?)\n\t(?=[A-Z][\w ]+ {2}\()/.exec(plan)?.[1] ?? plan
    const known = slowest.get(statement)
    const ms = Number(duration)
    slowest.set(statement, {
      times: (known?.times ?? 0) + 1,
      ...(known !== undefined && known.ms >= ms ? { ms: known.ms, plan: known.plan } : { ms, plan }),
    })
  }
  return [...slowest.values()]
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, STATEMENTS)
    .flatMap(({ ms, times, plan }, i) => [
      `\n${i + 1}. ${ms.toFixed(1)} ms, ${times} times over 5 ms\n`,
      '```',
      plan.trimEnd(),
      '```',
    ])
}
