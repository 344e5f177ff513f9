/**
 * Claims: 1000 MB up and down through the whole product, and ten uploads of 100 MB at once, in no more than
 * 64 MB of memory above where the server stood, at 0.8 or more of the throughput of a bare node:http server that pipes
 * to the disk. Both in one run, in turns, because machines are noisy: look at the ratios. Before each measure the disk
 * is let come to rest, or one would pay for what the one before has left in the machine's memory.
 *
 * Run: npm run bench -- files (MEGABYTES=100; ONLY=once: ways whose name has it)
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { openDatabase } from '../../server/db/open.ts'
import { urlOf } from '../test-kit/database.ts'
import { populate } from '../test-kit/people.ts'
import { type Portal, portalAt } from '../test-kit/portal.ts'
import { bytes, send } from '../test-kit/transfer.ts'
import { startOwnDatabase } from './own-database.ts'

const MB = 1024 * 1024
const SIZE = Number(process.env['MEGABYTES'] ?? 1000) * MB
const ONLY = process.env['ONLY'] ?? ''
const AT_ONCE = 10

const own = await startOwnDatabase()
const children: ChildProcess[] = []
const median = (numbers: number[] = []) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const parcel = (size: number) => ({ name: '측정.bin', size })
const say = (line: string) => void process.stdout.write(`${line}\n`)

async function start(file: string): Promise<{ port: number; child: ChildProcess }> {
  const child = fork(new URL(`files/${file}`, import.meta.url), {
    env: { ...process.env, DATABASE_URL: urlOf(own.connection), DATA_DIR: own.dataDir },
  })
  children.push(child)
  const [{ port: listening }] = (await once(child, 'message')) as [{ port: number }]
  return { port: listening, child }
}

/** What a server needed since it was asked before: the most memory in bytes, and CPU time. */
interface Need {
  memory: number
  cpuSeconds: number
}

async function needOf(child: ChildProcess): Promise<Need> {
  child.send('memory')
  const [need] = (await once(child, 'message')) as [Need]
  return need
}

/** One way of moving bytes: by Maru, and by the bare server. Each answers how many bytes it moved. */
interface Way {
  name: string
  rounds: number
  maru: () => Promise<number>
  bare: () => Promise<number>
}

async function megabytesPerSecond(move: () => Promise<number>): Promise<number> {
  if (process.platform !== 'win32') execFileSync('sync')
  const began = performance.now()
  const moved = await move()
  return moved / MB / ((performance.now() - began) / 1000)
}

interface Servers {
  maru: ChildProcess
  bare: ChildProcess
  /** What Maru held before anything was measured. */
  before: number
}

async function measure({ name, rounds, maru, bare }: Way, servers: Servers): Promise<void> {
  const wholes: number[] = []
  const floors: number[] = []
  const grown: number[] = []
  const cpu: number[] = []
  const whole = async () => {
    await needOf(servers.maru)
    wholes.push(await megabytesPerSecond(maru))
    const need = await needOf(servers.maru)
    grown.push(need.memory - servers.before)
    return need.cpuSeconds
  }
  const floor = async () => {
    await needOf(servers.bare)
    floors.push(await megabytesPerSecond(bare))
    return (await needOf(servers.bare)).cpuSeconds
  }
  for (let round = 0; round < rounds; round += 1) {
    // Each is first in turns.
    const first = round % 2 === 0 ? undefined : await floor()
    const used = await whole()
    cpu.push(used / (first ?? (await floor())))
  }
  const ratios = wholes.map((one, round) => one / (floors[round] ?? Number.NaN))
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} in ${rounds} rounds`
  say(
    `${name.padEnd(24)} maru ${median(wholes).toFixed(0)} MB/s, bare ${median(floors).toFixed(0)} MB/s, ratio ${median(ratios).toFixed(2)} (${spread}); CPU × ${median(cpu).toFixed(2)}; memory +${(Math.max(...grown) / MB).toFixed(0)} MB`,
  )
}

function ways(portals: [Portal, ...Portal[]], bare: number): Way[] {
  const [portal] = portals
  const sendBare = async (name: string, size: number) => {
    await send(
      { port: bare, path: `/${name}`, method: 'POST', headers: { 'Content-Length': size } },
      bytes(size),
    )
    return size
  }
  const each = (move: (index: number) => Promise<unknown>, size: number) => async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => move(index)))
    return size * AT_ONCE
  }
  const sendForm = async (size: number, by = portal) => {
    await by.sendForm(await by.write(), parcel(size))
    return size
  }
  const sendTus = async (size: number, by = portal) => {
    await by.sendTus(await by.write(), parcel(size))
    return size
  }
  let stored: Promise<string> | undefined
  const storedOnce = async () => {
    const id = await portal.write()
    await portal.sendTus(id, parcel(SIZE))
    return id
  }
  return [
    { name: 'up by tus (the page)', rounds: 3, maru: () => sendTus(SIZE), bare: () => sendBare('one', SIZE) },
    {
      name: 'up by form (one request)',
      rounds: 3,
      maru: () => sendForm(SIZE),
      bare: () => sendBare('one', SIZE),
    },
    {
      name: 'down',
      rounds: 3,
      maru: async () => portal.receive(await (stored ??= storedOnce())),
      bare: async () => (await send({ port: bare, path: '/one', method: 'GET' })).received,
    },
    {
      name: `${AT_ONCE} up at once, tus`,
      rounds: 7,
      maru: each((index) => sendTus(SIZE / AT_ONCE, portals[index]), SIZE / AT_ONCE),
      bare: each((index) => sendBare(`many-${index}`, SIZE / AT_ONCE), SIZE / AT_ONCE),
    },
    {
      name: `${AT_ONCE} up at once, form`,
      rounds: 7,
      maru: each((index) => sendForm(SIZE / AT_ONCE, portals[index]), SIZE / AT_ONCE),
      bare: each((index) => sendBare(`many-${index}`, SIZE / AT_ONCE), SIZE / AT_ONCE),
    },
  ]
}

try {
  const maru = await start('maru.ts')
  const bare = await start('bare.ts')
  const database = await openDatabase({ ...own.connection, max: 2 }, () => {})
  // Of ten that are on their way at once each is somebody's: one person has three at most (rules/files#room).
  const writers = populate(database, 'nobody logs in')
  const people = await Promise.all(Array.from({ length: AT_ONCE }, () => writers.createUser()))
  await database.close()
  const [portal, ...others] = people.map(({ session }) => portalAt(maru.port, session))
  if (portal === undefined) throw new Error('Nobody sends')
  const all = ways([portal, ...others], bare.port)
  say(`${SIZE / MB} MB, medians, in turns; the bare server does not even fsync`)
  // Once in small, so that nothing is measured while it is still compiled; the file for 'down' is stored before, too.
  await portal.sendForm(await portal.write(), parcel(8 * MB))
  await portal.sendTus(await portal.write(), parcel(8 * MB))
  await needOf(maru.child)
  const { memory: before } = await needOf(maru.child)
  await all[2]?.maru()
  for (const way of all.filter(({ name }) => name.includes(ONLY)))
    await measure(way, { maru: maru.child, bare: bare.child, before })
} finally {
  for (const child of children) child.kill()
  await own.stop()
}
