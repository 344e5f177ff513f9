/** Supports docs/rules/running.md#load and design/requests-and-load#request-queue: turns go round the callers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { listNotices } from '../../contract/notices.ts'
import { defineBench, say } from './harness/bench.ts'
import { as, createCaller } from './harness/caller.ts'
import { bytesOf, startLoad } from './harness/loads.ts'
import { signIn, startDemo } from './harness/maru.ts'
import { printTimes, printTimesHead, timesOf } from './harness/numbers.ts'

/** Connections on which one user calls without end. */
const CONNECTIONS = 200
/** Values of CALL_LIMIT_PERCENT, by the label of their row. */
const LIMITS = { 'with the usual limit of calls': '100', 'without a limit': '0' }

/**
 * Prints the times of a user's list without a flood and while another user calls on CONNECTIONS connections, once for
 * each of LIMITS, and the CPU of the server.
 */
export default defineBench({
  name: 'crowd',
  claim: 'While one user calls on 200 connections without end, others wait at most twice as long as usual',
  options: { seconds: 15, profile: false },
  async run({ seconds, profile }) {
    const ms = seconds * 1000
    printTimesHead()
    for (const [what, percent] of Object.entries(LIMITS)) {
      const maru = await startDemo({ env: { CALL_LIMIT_PERCENT: percent }, profile })
      const caller = createCaller(maru.port, 1)
      const users = (await maru.users()).slice(0, 4)
      // All may call lists as often as an administrator.
      await maru.database.pool.query(`update users set role_code = 'AUT001' where id = any($1)`, [
        users.map(({ id }) => id),
      ])
      const [flooder = '', ...others] = await Promise.all(users.map(({ id }) => signIn(maru.database, id)))
      // Slowly enough for the limit of one user.
      const ask = (session = '') =>
        timesOf(() => caller.status(listNotices, {}, as(session)), { ms, everyMs: 60 })
      await ask(others[0])
      const usual = await ask(others[1])
      const requests = [bytesOf(listNotices, {}, as(flooder))]
      const stop = await startLoad({ port: maru.port, connections: CONNECTIONS, requests })
      await sleep(1_000)
      const cpu = maru.cpuMs()
      const flooded = await ask(others[2])
      const share = ((maru.cpuMs() - cpu) / ms) * 100
      printTimes(`a list, ${what}`, usual, undefined, flooded)
      say(`  ${await stop()}; CPU of the server ${share.toFixed(0)} %`)
      caller.close()
      await maru.stop()
    }
  },
})
