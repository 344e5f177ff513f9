/**
 * Claim: at the size of a large company every list answers at least 0.7 times as many requests as a bare server that
 * answers the same question, searches by name as many, and no call takes more than 50 ms alone; on Maru's own PostgreSQL and on the
 * system's as its package brings it.
 *
 * Run: npm run bench -- lists; --keys=10000000, --only=own|system, --list=keys, --match=김, --seconds=3; --alone asks Maru alone, one
 * call at a time (for sizes at which the floor takes minutes); --profile says where the time goes (measure nothing with it); --write writes dev/bench/RESULTS.md. The databases are filled once and kept under bench/data.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { sealed, unsealed } from '../test-kit/seal.ts'
import { type Case, CASES } from './lists/cases.ts'
import { DATABASES } from './lists/databases.ts'
import { fill } from './lists/fill.ts'
import type { Load, Target } from './lists/load.ts'
import { planLog, PLANS_LOGGED } from './lists/plans.ts'
import { profiling, slowestFunctions } from './profile.ts'
import { startAsPeopleDo } from './started-maru.ts'

const CONNECTIONS = 32
const ALONE_TRIES = 9
const COLUMNS = 'call,rows,Maru /s,p50,p99,alone,CPU,floor /s,p50,alone,CPU,ratio,by CPU'.split(',')
const ALONE_COLUMNS = ['call', 'rows', 'alone']
const { values: asked } = parseArgs({
  allowPositionals: true,
  options: {
    keys: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    list: { type: 'string', default: '' },
    match: { type: 'string', default: '' },
    seconds: { type: 'string', default: '3' },
    alone: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const sizes = { users: 100_000, notices: 100_000, partners: 10_000, keys: Number(asked.keys) }
const folder = join(import.meta.dirname, 'data', 'lists')
const RESULTS = join(import.meta.dirname, 'RESULTS.md')
const lines: string[] = []

say(
  `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.version}`,
)
say(
  Object.entries(sizes)
    .map(([name, n]) => `${n.toLocaleString('en')} ${name}`)
    .join(', '),
)
say(
  `${CONNECTIONS} connections for ${asked.seconds} s, Maru and the floor in turns; times in ms; CPU per call: server + database. On a machine that others use look at the ratio by CPU`,
)
// PostgreSQL passes through it, whatever user it runs as.
mkdirSync(folder, { recursive: true, mode: 0o711 })
for (const [name, start] of Object.entries(DATABASES)) {
  if (asked.only !== '' && asked.only !== name) continue
  const running = await start(folder, asked.profile ? PLANS_LOGGED : {})
  try {
    await measure(name, await running.urlOf(`maru_${sizes.keys}`), running.log)
  } finally {
    await running.stop()
  }
}

function say(line: string): void {
  lines.push(line)
  process.stdout.write(`${line}\n`)
}

async function measure(name: string, url: string, log: string): Promise<void> {
  const session = await fill(url, sizes)
  const plans = planLog(log)
  const watch = new pg.Client({ connectionString: url })
  await watch.connect()
  const { rows } = await watch.query<{ version: string; pid: number }>(
    `select current_setting('server_version') as version, pg_backend_pid() as pid`,
  )
  const postmaster = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8'))?.[1])
  const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
  const maru = await startAsPeopleDo({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    ...(asked.profile && profiling(dataDir)),
  })
  const floor = fork(new URL('lists/floor.ts', import.meta.url), { env: { ...process.env, URL: url } })
  try {
    const [floorPort] = (await once(floor, 'message')) as [number]
    for (const [list, cases] of Object.entries(CASES)) {
      const chosen = cases.filter(({ label }) => label.includes(asked.match))
      if (chosen.length === 0 || (asked.list !== '' && asked.list !== list)) continue
      say(`\n## ${list}, ${name} PostgreSQL ${rows[0]?.version}\n`)
      const columns = asked.alone ? ALONE_COLUMNS : COLUMNS
      say(`| ${columns.join(' | ')} |`)
      say(`|${'---|'.repeat(columns.length)}`)
      for (const one of chosen) {
        say(await row(one, { maru, floor: { port: floorPort, child: floor }, session, postmaster }))
        plans.read()
      }
      // List by list: it takes a while.
      if (asked.write) writeFileSync(RESULTS, `# Lists\n\n${lines.join('\n')}\n`)
    }
  } finally {
    floor.kill()
    await maru.stop()
    await watch.end()
    if (asked.profile)
      for (const line of ['\n## Maru by function\n', '```', ...slowestFunctions(dataDir), '```']) say(line)
    rmSync(dataDir, { recursive: true, force: true })
  }
  const statements = plans.slowest()
  if (asked.profile && statements.length > 0)
    for (const line of ['\n## The slowest statements', ...statements]) say(line)
}

interface Servers {
  maru: { port: number; child: ChildProcess }
  floor: { port: number; child: ChildProcess }
  session: string
  postmaster: number
}

async function row(one: Case, { maru, floor, session, postmaster }: Servers): Promise<string> {
  const maruAt = (page: number): Target => ({
    port: maru.port,
    path: API_BASE + one.endpoint.path,
    headers: { 'content-type': 'application/json', [SESSION_HEADER]: session },
    body: sealed(one.endpoint, { ...one.input, page }),
  })
  const first = unsealed(one.endpoint, await (await call(maruAt(1))).text()) as { totalCount: number }
  const last = Math.max(1, Math.ceil(first.totalCount / one.perPage))
  const page = { first: 1, middle: Math.ceil(last / 2), last }[one.page]
  const ours = maruAt(page)
  if (asked.alone)
    return `| ${one.label} | ${first.totalCount.toLocaleString('en')} | ${(await timeAlone(ours)).toFixed(1)} |`
  const theirs = { port: floor.port, path: '/', headers: {}, body: one.floor((page - 1) * one.perPage) }
  const { total } = (await (await call(theirs)).json()) as { total: number }
  // The floor has no withdrawn people to leave out of the history, nor pins on the board: what it counts is the same.
  const differs = total === first.totalCount ? '' : ` (floor: ${total})`
  // Both run warm: the first calls of a kind are compiled, and read what is not cached yet.
  for (const target of [ours, theirs]) await underLoad(target, [], 0.5)
  const alone = [await timeAlone(ours), await timeAlone(theirs)]
  const [load, cpu] = await underLoad(ours, [maru.child.pid, postmaster])
  const [bare, floorCpu] = await underLoad(theirs, [floor.child.pid, postmaster])
  return `| ${[
    one.label,
    `${first.totalCount.toLocaleString('en')}${differs}`,
    `${load.perSecond.toFixed(0)}${load.refused > 0 ? ` (${load.refused} refused)` : ''}`,
    load.p50.toFixed(1),
    load.p99.toFixed(1),
    alone[0]?.toFixed(1),
    inMs(cpu),
    bare.perSecond.toFixed(0),
    bare.p50.toFixed(1),
    alone[1]?.toFixed(1),
    inMs(floorCpu),
    (load.perSecond / bare.perSecond).toFixed(2),
    (sum(floorCpu) / sum(cpu)).toFixed(2),
  ].join(' | ')} |`
}

function sum(ms: readonly number[]): number {
  return ms.reduce((all, each) => all + each, 0)
}

function inMs(parts: readonly number[]): string {
  return parts.map((ms) => ms.toFixed(1)).join(' + ')
}

function call({ port, path, headers, body }: Target): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
}

/** The median of some calls, one after the other. */
async function timeAlone(target: Target): Promise<number> {
  const times: number[] = []
  for (let i = -2; i < ALONE_TRIES; i += 1) {
    const begin = performance.now()
    const answer = await call(target)
    if (!answer.ok) throw new Error(`${target.path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    if (i >= 0) times.push(performance.now() - begin)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ALONE_TRIES / 2)] ?? Number.NaN
}

async function underLoad(
  target: Target,
  working: (number | undefined)[],
  seconds = Number(asked.seconds),
): Promise<[Load, cpuPerCall: number[]]> {
  const before = working.map(cpuOf)
  const env = {
    ...process.env,
    LOAD: JSON.stringify({ ...target, connections: CONNECTIONS, seconds }),
  }
  const [load] = (await once(fork(new URL('lists/load.ts', import.meta.url), { env }), 'message')) as [Load]
  return [load, working.map((pid, i) => (cpuOf(pid) - (before[i] ?? 0)) / load.answered)]
}

/** CPU ms that a process and all below it have taken; Linux alone says it. */
function cpuOf(root: number | undefined): number {
  try {
    const children = readdirSync(`/proc/${root}/task`).flatMap((task) =>
      readFileSync(`/proc/${root}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    )
    const own = readdirSync(`/proc/${root}/task`).map(
      (task) => Number(readFileSync(`/proc/${root}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    )
    // Those that have ended, in hundredths of a second: idle connections are closed.
    const [utime = 0, stime = 0] =
      readFileSync(`/proc/${root}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(13, 15).map(Number) ?? []
    return sum([...own, (utime + stime) * 10, ...children.map((child) => cpuOf(Number(child)))])
  } catch {
    return 0
  }
}
