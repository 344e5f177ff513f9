/**
 * Claim: an export of 1,000,000 users runs in constant memory (the server's resident memory grows by less than
 * 100 MB) while other calls are answered.
 *
 * Run: npm run bench -- export-users
 */
import { exportUsers, listUsers } from '../contract/users.ts'
import { drain, startMeasured } from './maru-child.ts'

const USERS = 1_000_000

const maru = await startMeasured()
try {
  await maru.sql(`insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
    select 'bulk' || n, 'x', '김하늘' || n, '과장', '010' || lpad((n % 100000000)::text, 8, '0'), 'bulk' || n || '@example.com', 'BEL001', 'AUT003', 'MEMAP001'
    from generate_series(1, ${USERS}) n`)
  await maru.sql('vacuum analyze users')
  // What a server keeps anyway once it has worked is no part of what an export takes.
  for (let warm = 0; warm < 20; warm += 1)
    await drain(await maru.post(listUsers.path, { NAME: `하늘${warm}` }))
  await drain(await maru.post(exportUsers.path, { NAME: '하늘1234', FORMAT: 'xlsx', REASON: 'bench' }))
  for (const FORMAT of ['csv', 'xlsx']) await measure(FORMAT)
} finally {
  await maru.stop()
}

async function measure(FORMAT: string): Promise<void> {
  const before = maru.rss()
  let peak = before
  const waits: number[] = []
  const done = new AbortController()
  const watch = (async () => {
    while (!done.signal.aborted) {
      const asked = performance.now()
      await drain(await maru.post(listUsers.path, {}))
      waits.push(performance.now() - asked)
      peak = Math.max(peak, maru.rss())
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  const begun = performance.now()
  const bytes = await drain(await maru.post(exportUsers.path, { FORMAT, REASON: 'bench' }))
  const seconds = (performance.now() - begun) / 1000
  done.abort()
  await watch
  const sorted = waits.toSorted((a, b) => a - b)
  const slowest = sorted.at(-1) ?? Number.NaN
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  process.stdout.write(
    `${FORMAT}: ${(bytes / 1024 / 1024).toFixed(0)} MB in ${seconds.toFixed(1)} s; resident memory ${before.toFixed(0)} → ${peak.toFixed(0)} MB, grew by ${(peak - before).toFixed(0)} MB (claimed: less than 100); ` +
      `${waits.length} list calls meanwhile, median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms\n`,
  )
}
