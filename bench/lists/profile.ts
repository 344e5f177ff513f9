/** Where the time of a run goes: in Maru by function, in PostgreSQL by statement. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FUNCTIONS = 25
const STATEMENTS = 10

/** Makes PostgreSQL log each statement over 5 ms with the plan that it took. */
export const PLANS_LOGGED = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '5ms',
  'auto_explain.log_analyze': 'on',
  // To read the clock for every row would take longer than the rows.
  'auto_explain.log_timing': 'off',
}

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** The functions of the process that left its CPU profile in the folder, as a table. */
export function functionsOf(folder: string): string[] {
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile')) ?? ''
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile
  const nameOf = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(no name)'} ${url.replace(/^.*\/(?=node_modules|server|contract)/, '')}:${lineNumber + 1}`,
    ]),
  )
  const took = new Map<string, number>()
  let all = 0
  samples.forEach((id, i) => {
    const name = nameOf.get(id) ?? ''
    if (name.startsWith('(idle)')) return
    const us = timeDeltas[i] ?? 0
    all += us
    took.set(name, (took.get(name) ?? 0) + us)
  })
  const most = [...took].toSorted((a, b) => b[1] - a[1]).slice(0, FUNCTIONS)
  return [
    '| % of the server | function |',
    '|---|---|',
    ...most.map(([name, us]) => `| ${((us / all) * 100).toFixed(1)} | ${name} |`),
  ]
}

/** The slowest statements of a PostgreSQL log from a place on, each once, with the plan of its slowest run. */
export function statementsOf(log: string, from: number): string[] {
  if (!existsSync(log)) return []
  const slowest = new Map<string, { ms: number; plan: string; times: number }>()
  const entries = readFileSync(log, 'utf8')
    .slice(from)
    .split(/^(?=\d{4}-\d\d-\d\d )/m)
  for (const entry of entries) {
    const [, duration, plan = ''] = /duration: ([\d.]+) ms {2}plan:\n([^]*)/.exec(entry) ?? []
    if (duration === undefined) continue
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
