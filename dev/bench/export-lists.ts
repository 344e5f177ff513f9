/**
 * Claim: an export of 1,000,000 users, of as many issued keys and of as many rows of the trail runs in constant memory (the server's
 * resident memory grows by less than 100 MB) while other calls are answered. How soon it begins is told.
 *
 * Run: npm run bench -- export-lists (LISTS=keys measures that list alone, ROWS=100000 fewer rows)
 */
import { exportAudit, listAudit } from '../../contract/audit.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { exportKeys, listKeys } from '../../contract/keys.ts'
import { exportUsers, listUsers } from '../../contract/users.ts'
import { writeKeys } from './lists/keys.ts'
import { drain, type MeasuredMaru, startMeasured } from './maru-child.ts'

const ROWS = Number(process.env['ROWS'] ?? 1_000_000)
const ALLOWED_MB = 100

/** A list, how it is filled, and the calls that a person makes of it. */
interface Measured {
  fill: (maru: MeasuredMaru) => Promise<unknown>
  list: Endpoint
  exporting: Endpoint
  /** What finds some of it. */
  some: object
}

const LISTS: Record<string, Measured> = {
  users: {
    fill: async ({ pool }) => {
      await pool.query(`insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
        select 'bulk' || n, 'x', '김하늘' || n, '과장', '010' || lpad((n % 100000000)::text, 8, '0'), 'bulk' || n || '@example.com', 'BEL001', 'AUT003', 'MEMAP001'
        from generate_series(1, ${ROWS}) n`)
      await pool.query('vacuum analyze users')
    },
    list: listUsers,
    exporting: exportUsers,
    some: { name: '하늘1234' },
  },
  keys: {
    fill: async ({ pool }) => {
      await writeKeys(pool, ROWS)
      await pool.query('vacuum analyze')
    },
    list: listKeys,
    exporting: exportKeys,
    some: { issuedFrom: '2025-05-01', issuedTo: '2025-05-01' },
  },
  audit: {
    fill: async ({ pool }) => {
      await pool.query(`insert into audit_log (at, action, actor_id, target, detail, address, request_id)
        select now() - n * interval '1 minute', 'notice.update', (select min(id) from users), 'kim' || n % 1000,
          '{"title": {"before": "공지", "after": "새 공지"}}', '10.0.0.' || n % 250, md5(n::text)
        from generate_series(1, ${ROWS}) n`)
      await pool.query('vacuum analyze audit_log')
    },
    list: listAudit,
    exporting: exportAudit,
    some: { address: '10.0.0.7' },
  },
}

for (const name of (process.env['LISTS'] ?? Object.keys(LISTS).join()).split(',')) {
  const measured = LISTS[name]
  if (measured === undefined) throw new Error(`LISTS: there is no list "${name}"`)
  // A server of its own for each: what one list leaves in memory is no part of what the other takes.
  const maru = await startMeasured()
  try {
    await measured.fill(maru)
    // What a server keeps anyway once it has worked is no part of what an export takes.
    for (let warm = 0; warm < 20; warm += 1)
      await drain(await maru.post(measured.list.path, { ...measured.some, page: warm + 1 }))
    await drain(
      await maru.post(measured.exporting.path, { ...measured.some, format: 'xlsx', reason: 'bench' }),
    )
    for (const format of ['csv', 'xlsx']) await measure(name, maru, measured, format)
  } finally {
    await maru.stop()
  }
}

async function measure(
  name: string,
  maru: MeasuredMaru,
  { list, exporting }: Measured,
  format: string,
): Promise<void> {
  const before = maru.rss()
  let peak = before
  const waits: number[] = []
  const done = new AbortController()
  const watch = (async () => {
    while (!done.signal.aborted) {
      const asked = performance.now()
      await drain(await maru.post(list.path, {}))
      waits.push(performance.now() - asked)
      peak = Math.max(peak, maru.rss())
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  const begun = performance.now()
  const answer = await maru.post(exporting.path, { format, reason: 'bench' })
  const firstMs = performance.now() - begun
  const bytes = await drain(answer)
  const seconds = (performance.now() - begun) / 1000
  done.abort()
  await watch
  const sorted = waits.toSorted((a, b) => a - b)
  const slowest = sorted.at(-1) ?? Number.NaN
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const grew = peak - before
  process.stdout.write(
    `${ROWS.toLocaleString('en')} ${name} as ${format}: ${(bytes / 1024 / 1024).toFixed(0)} MB in ${seconds.toFixed(1)} s, the first after ${firstMs.toFixed(0)} ms; resident memory ${before.toFixed(0)} → ${peak.toFixed(0)} MB, grew by ${grew.toFixed(0)} MB (claimed: less than ${ALLOWED_MB}); ` +
      `${waits.length} list calls meanwhile, median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms\n`,
  )
  if (grew >= ALLOWED_MB) process.exitCode = 1
}
