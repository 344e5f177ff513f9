/** Supports design/events#delivery. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createWebhook } from '../../contract/events.ts'
import type { Bare, ReceiverCounts } from './harness/bare.ts'
import { defineBench, say } from './harness/bench.ts'
import { as, createCaller } from './harness/caller.ts'
import { startChild } from './harness/child.ts'
import { startDemo } from './harness/maru.ts'
import { since } from './harness/numbers.ts'

/**
 * Writes `events` events for one webhook, and prints how many are still waiting every 5 seconds, the rate, its ratio to
 * `requests` plain requests, and the CPU per event.
 */
export default defineBench({
  name: 'webhooks',
  claim: 'A server delivers waiting events to a receiver at over 100 a second, each once',
  options: { events: 100_000, requests: 5000 },
  async run({ events, requests }) {
    const maru = await startDemo({ env: { OUTBOUND_ALLOW: '127.0.0.1' } })
    const { pool } = maru.database
    const receiver = await startChild<number>('harness/bare.ts', { kind: 'receiving' } satisfies Bare)
    const received = async () => (await receiver.ask()) as ReceiverCounts
    const url = `http://127.0.0.1:${receiver.first}/`
    const input = { webhookName: 'bench', url }
    await createCaller(maru.port, 1).output(createWebhook, input, as(await maru.signInAdmin()))
    const waiting = async () => {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from event_deliveries where state = 'waiting'`,
      )
      return rows[0]?.n ?? 0
    }
    while ((await waiting()) > 0) await sleep(100)

    const bare = await loop(url, requests)
    const [before, cpu, databaseCpu] = [await received(), maru.cpuMs(), maru.databaseCpuMs()]
    await pool.query(
      `insert into audit_log (actor_id, action, target, records, address, request_id)
       select id, 'user.update', login_id, array['user/' || id], '127.0.0.1', 'bench'
       from users, generate_series(1, $1) where login_id = 'admin'`,
      [events],
    )
    const begin = performance.now()
    for (let left = events, at = begin; left > 0;) {
      await sleep(5_000)
      const now = await waiting()
      say(`${now} waiting, ${perSecond(left - now, since(at))} events/s`)
      ;[left, at] = [now, performance.now()]
    }
    const [took, after] = [since(begin), await received()]
    const [rate, ratio] = [perSecond(events, took), perSecond(events, took) / bare]
    say(`${events} events in ${(took / 1000).toFixed(0)} s: ${rate} events/s`)
    say(`a loop of fetch: ${bare} requests/s; ratio ${ratio.toFixed(2)}`)
    const [ids, sent] = [after.ids - before.ids, after.requests - before.requests]
    say(`${ids} IDs in ${sent} requests on ${after.connections - before.connections} connections`)
    const each = (ms: number) => (ms / events).toFixed(2)
    const [server, database] = [each(maru.cpuMs() - cpu), each(maru.databaseCpuMs() - databaseCpu)]
    say(`CPU per event: server ${server} ms, PostgreSQL ${database} ms`)
  },
})

/** Returns a rate per second, rounded. */
const perSecond = (count: number, ms: number) => Math.round((count / ms) * 1000)

/** Sends requests of the size of an event, one at a time, and returns how many per second. */
async function loop(url: string, count: number): Promise<number> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'x'.repeat(250) }
  const begin = performance.now()
  for (let i = 0; i < count; i += 1) await (await fetch(url, request)).arrayBuffer()
  return perSecond(count, since(begin))
}
