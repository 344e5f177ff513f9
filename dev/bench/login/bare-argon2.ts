/** argon2id with a login's parameters and nothing around it. */
import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)
const { ms, connections } = JSON.parse(process.env['LOAD'] ?? '') as { ms: number; connections: number }
const begin = performance.now()
let done = 0
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (performance.now() < begin + ms) {
      await derive('argon2id', {
        message: Buffer.from('a-Good-One-2026'),
        nonce: randomBytes(16),
        parallelism: 1,
        tagLength: 32,
        memory: 19_456,
        passes: 2,
      })
      done += 1
    }
  }),
)
const { user, system } = process.cpuUsage()
process.send?.([done / ((performance.now() - begin) / 1000), (user + system) / 1000 / done])
