/**
 * Supports docs/rules/running.md#sizes and design/search#notices-by-title-and-author, design/lists-and-counts#stored-counts, design/keys#counts-of-keys. The databases are filled once and kept below
 * `bench/data`. `--alone` measures Maru without the floor, `--only=own|system` one PostgreSQL, `--list` and `--match`
 * some questions. `--profile` prints where the CPU goes; its times count for nothing.
 */
import { cpus, totalmem } from 'node:os'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { API_BASE } from '../../contract/envelope.ts'
import { sealInput, openOutput } from '../test-kit/seal.ts'
import type { Bare } from './harness/bare.ts'
import { defineBench, say } from './harness/bench.ts'
import { as } from './harness/caller.ts'
import { startChild } from './harness/child.ts'
import type { LoadResult } from './harness/load.ts'
import { loadFor, postOf } from './harness/loads.ts'
import { createFolder, startMaru } from './harness/maru.ts'
import { median, printHead, printRow, sum, measureTime } from './harness/numbers.ts'
import { treeCpuMs } from './harness/processes.ts'
import { type Case, CASES } from './lists/cases.ts'
import { companyOf, databaseOf, fillCompany } from './lists/company.ts'
import { SERVER_NAMES, startKept } from './lists/databases.ts'

/** Connections on which a list is called under load. */
const CONNECTIONS = 32
/** Number of counted calls whose median is the time of a call alone. */
const ALONE_TRIES = 9
/** Heads of the table under load. The second `p50`, `alone` and `CPU` are those of the floor. */
const COLUMNS = 'call,rows,Maru /s,p50,p99,alone,CPU,floor /s,p50,alone,CPU,ratio,by CPU'.split(',')
/** Heads of the table of calls made one at a time. */
const ALONE_COLUMNS = ['call', 'rows', 'alone']

/** A request that a server answers. */
interface Target {
  port: number
  path: string
  headers: Record<string, string>
  body: string
}

/** A server that answers a question. */
interface Server {
  port: number
  pid: number
}

/**
 * Measures the cases of each list on Maru and on the baseline, and prints a table per list. Fills the databases at
 * first and keeps them between runs.
 */
export default defineBench({
  name: 'lists',
  claim:
    'Lists of a large company answer 0.7 times as many requests as a bare server or more, and no call takes over 50 ms alone',
  options: {
    keys: 1_000_000,
    users: 100_000,
    only: '',
    list: '',
    match: '',
    seconds: 3,
    alone: false,
    profile: false,
  },
  async run({ keys, users, only, list: chosen, match, seconds, alone, profile }) {
    say(
      `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.version}`,
    )
    const sizes = Object.entries({ ...companyOf(users), keys }).map(
      ([name, n]) => `${n.toLocaleString('en')} ${name}`,
    )
    say(sizes.join(', '))
    say(
      `${CONNECTIONS} connections for ${seconds} s, Maru and the floor in turns; times in ms; CPU per call: server + database. On a machine that others use look at the ratio by CPU`,
    )
    for (const name of SERVER_NAMES) if (only === '' || only === name) await measureOn(name)

    /** Measures the chosen lists on a PostgreSQL server, and prints a table per list that has a matching case. */
    async function measureOn(name: string): Promise<void> {
      const running = await startKept(name)
      const url = await running.urlOf(databaseOf(users, keys))
      const session = await fillCompany(url, keys, companyOf(users))
      const { version, postmaster } = await serverOf(url)
      const maru = await startMaru({ env: { DATABASE_URL: url, DATA_DIR: createFolder() }, profile })
      const bare = await startChild<number>('harness/bare.ts', { kind: 'sql', url } satisfies Bare)
      const floor = { port: bare.first, pid: bare.pid }
      for (const [list, cases] of Object.entries(CASES)) {
        const matching = cases.filter(({ label }) => label.includes(match))
        if (matching.length === 0 || (chosen !== '' && chosen !== list)) continue
        say(`\n## ${list}, ${name} PostgreSQL ${version}\n`)
        printHead(...(alone ? ALONE_COLUMNS : COLUMNS))
        for (const question of matching) await compare(question, { maru, floor, session, postmaster })
      }
      await maru.stop()
      await bare.stop()
      await running.stop()
    }

    /** Measures a query on Maru and on the floor, and prints its row. */
    async function compare(
      question: Case,
      {
        maru,
        floor,
        session,
        postmaster,
      }: Record<'maru' | 'floor', Server> & { session: string; postmaster: number },
    ): Promise<void> {
      const { label, endpoint, input, perPage } = question
      const maruAt = (page: number): Target => ({
        port: maru.port,
        path: API_BASE + endpoint.path,
        headers: { 'Content-Type': 'application/json', ...as(session) },
        body: sealInput(endpoint, { ...input, page }),
      })
      const first = openOutput(endpoint, await (await call(maruAt(1))).text()) as { totalCount: number }
      const rows = first.totalCount.toLocaleString('en')
      const last = Math.max(1, Math.ceil(first.totalCount / perPage))
      const page = { first: 1, middle: Math.ceil(last / 2), last }[question.page]
      const ours = maruAt(page)
      if (alone) return printRow(label, rows, await timeAlone(ours))
      const theirs = { port: floor.port, path: '/', headers: {}, body: question.floor((page - 1) * perPage) }
      const { total } = (await (await call(theirs)).json()) as { total: number }
      // The floor knows no withdrawn users of the history, and no pins.
      const differs = total === first.totalCount ? '' : ` (floor: ${total})`
      // Compiles and reads what is not cached yet.
      for (const target of [ours, theirs]) await underLoad(target, [], 0.5)
      const waits = [await timeAlone(ours), await timeAlone(theirs)] as const
      const [load, cpu] = await underLoad(ours, [maru.pid, postmaster])
      const [bare, bareCpu] = await underLoad(theirs, [floor.pid, postmaster])
      printRow(
        label,
        rows + differs,
        `${load.perSecond.toFixed(0)}${load.sent > load.answered ? ` (${load.sent - load.answered} refused)` : ''}`,
        load.p50,
        load.p99,
        waits[0],
        inMs(cpu),
        bare.perSecond.toFixed(0),
        bare.p50,
        waits[1],
        inMs(bareCpu),
        (load.perSecond / bare.perSecond).toFixed(2),
        (sum(bareCpu) / sum(cpu)).toFixed(2),
      )
    }

    /**
     * Calls a target on CONNECTIONS connections.
     * @param forSeconds option `seconds` by default
     * @returns the result, and the CPU ms per successful call of each process with its children
     */
    async function underLoad(
      { port, path, body, headers }: Target,
      pids: readonly number[],
      forSeconds = seconds,
    ): Promise<[LoadResult, cpuPerCall: number[]]> {
      const before = pids.map(treeCpuMs)
      const request = postOf(path, body, headers)
      const load = await loadFor(forSeconds, { port, request, connections: CONNECTIONS })
      return [load, pids.map((pid, i) => (treeCpuMs(pid) - (before[i] ?? 0)) / load.answered)]
    }
  },
})

/** Returns times in ms as a text with plus signs: '1.2 + 3.4'. */
const inMs = (parts: readonly number[]) => parts.map((ms) => ms.toFixed(1)).join(' + ')

/** Returns the version of a PostgreSQL server and the ID of its main process. */
async function serverOf(url: string): Promise<{ version: string; postmaster: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ version: string; pid: number }>(
    `select current_setting('server_version') as version, pg_backend_pid() as pid`,
  )
  const status = readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8')
  await client.end()
  return { version: rows[0]?.version ?? '', postmaster: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) }
}

/**
 * Makes a request.
 * @throws {Error} if the response is not a success
 */
async function call({ port, path, headers, body }: Target): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

/**
 * Returns the median ms of ALONE_TRIES calls, made one at a time after two that do not count.
 * @throws {Error} if a response is not a success
 */
async function timeAlone(target: Target): Promise<number> {
  const times: number[] = []
  for (let i = -2; i < ALONE_TRIES; i += 1) {
    const [, ms] = await measureTime(async () => (await call(target)).arrayBuffer())
    if (i >= 0) times.push(ms)
  }
  return median(times)
}
