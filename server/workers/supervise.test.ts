import cluster, { type Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest'
import { superviseWorkers } from './supervise.ts'

/* Ends of workers at moments that no real one can be made to end at (rules/running#workers). */

class Forked extends EventEmitter {
  process = {
    pid: 1 as number | undefined,
    kill: () => void this.emit('exit', 0, null),
  }
}

let forked: Forked[]
let fork: MockInstance<typeof cluster.fork>

beforeEach(() => {
  forked = []
  fork = vi.spyOn(cluster, 'fork').mockImplementation(() => makeWorker())
})

afterEach(() => void vi.restoreAllMocks())

function makeWorker(): Worker {
  const worker = new Forked()
  forked.push(worker)
  return worker as unknown as Worker
}

const ready = (index: number) => forked[index]?.emit('message', { ready: 'http://localhost' })
const supervise = (count: number) => superviseWorkers(count, {}, pino({ level: 'silent' }), 10_000)

test('a worker that dies while others are still starting is replaced', async () => {
  const supervised = supervise(2)
  ready(0)
  await expect.poll(() => forked.length).toBe(2)
  forked[0]?.emit('exit', null, 'SIGKILL')
  await expect.poll(() => forked.length).toBe(3)
  ready(2)
  ready(1)
  await (await supervised).stop()
})

test('a worker that cannot be made later is tried again, whichever way the system says so', async () => {
  const supervised = supervise(1)
  ready(0)
  const workers = await supervised
  fork.mockImplementationOnce(() => {
    throw new Error('spawn ENOMEM')
  })
  forked[0]?.emit('exit', null, 'SIGKILL')
  await expect.poll(() => forked.length).toBe(2)
  const [, second = new Forked()] = forked
  second.process.pid = undefined
  second.emit('error', new Error('spawn EAGAIN'))
  await expect.poll(() => forked.length).toBe(3)
  await workers.stop()
})

test('a first worker that cannot be made ends the start with what the system says', async () => {
  const supervised = supervise(2)
  const [first = new Forked()] = forked
  first.process.pid = undefined
  first.emit('error', new Error('spawn EAGAIN'))
  await expect(supervised).rejects.toThrow('spawn EAGAIN')
})
