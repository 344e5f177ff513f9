import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listCodes } from '../../contract/common.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { type Program, startProgram } from '../test-kit/program.ts'
import { sealed } from '../test-kit/seal.ts'

/* Maru as several processes on one port, with a database of its own (rules/running#workers, ADR 045). */

let folder: string
let programs: Program[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maru-workers-'))
  programs = []
})

afterEach(async () => {
  for (const { process, ended } of programs) {
    process.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

function start(env: Record<string, string> = {}): Program {
  const program = startProgram(folder, { DATA_DIR: folder, WORKERS: '2', ...env })
  programs.push(program)
  return program
}

/** The processes that a program has forked to serve, by what Node.js tells them. */
function workersOf({ process: { pid } }: Program): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const isOurs =
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(pid)
        return isOurs && readFileSync(`/proc/${name}/environ`, 'utf8').includes('NODE_UNIQUE_ID=')
          ? [Number(name)]
          : []
      } catch {
        return [] // ended meanwhile
      }
    })
}

/** A call over a connection of its own, which goes to the next worker. */
async function ask(url: string): Promise<number> {
  const input = sealed(listCodes, { codeGroup: 'COMBEL001' })
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const answer = await fetch(url + API_BASE + listCodes.path, { method: 'POST', headers, body: input })
  await answer.text()
  return answer.status
}

async function metrics(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`)).text()
}

const isLinux = process.platform === 'linux'

test.runIf(isLinux)('workers serve one port, say once what a start says, and count together', async () => {
  const maru = start()
  const url = await maru.url
  expect(workersOf(maru)).toHaveLength(2)
  expect(maru.text().match(/Sign in as admin with the password/g)).toHaveLength(1)
  expect(maru.text().match(/Maru is ready/g)).toHaveLength(1)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url)))
  expect(answers).toEqual(answers.map(() => 200))
  const counted = new RegExp(`_count\\{route="${API_BASE}${listCodes.path}",status="200"\\} 20$`, 'm')
  // Whichever is asked.
  for (let times = 0; times < 4; times++) expect(await metrics(url)).toMatch(counted)

  maru.process.kill('SIGTERM')
  expect(await maru.ended).toBe(0)
  expect(workersOf(maru)).toEqual([])
})

test.runIf(isLinux)(
  'a worker that dies is replaced with a line in the log, and the others serve on',
  async () => {
    const maru = start()
    const url = await maru.url
    const [killed = 0, other = 0] = workersOf(maru)
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => maru.text()).toContain('a worker ended and is replaced')
    expect(await ask(url)).toBe(200)
    await expect.poll(() => workersOf(maru).length).toBe(2)
    expect(workersOf(maru)).toContain(other)
    expect(workersOf(maru)).not.toContain(killed)
    // The new one answers for itself too.
    await expect.poll(() => metrics(url)).toContain('maru_database_connections')
    maru.process.kill('SIGTERM')
    expect(await maru.ended).toBe(0)
  },
)

test('a worker that cannot start ends the start, with one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const maru = start({ PORT: String(port) })
  expect(await maru.ended).toBe(1)
  taken.close()
  expect(maru.text().match(/^Maru did not start: .*$/gm)).toEqual([
    expect.stringMatching(new RegExp(`PORT ${port} is taken`)),
  ])
})

test.runIf(isLinux)('one process is one process', async () => {
  const maru = start({ WORKERS: '1' })
  await maru.url
  expect(workersOf(maru)).toEqual([])
})
