import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

/* The launcher's turns (bin/turn.mjs), taken by real processes. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NAME = `test-${process.pid}`
const FILE = join(ROOT, '.cache', `${NAME}.turn`)

beforeEach(() => mkdirSync(join(ROOT, '.cache'), { recursive: true }))
afterEach(() => rmSync(FILE, { force: true }))

/** Runs `before`, then waits for the turn, in a process of its own. */
function takeTurn(before: string, work = '') {
  const script = `
    import { utimesSync, writeFileSync } from 'node:fs'
    import { inTurn } from './bin/turn.mjs'
    const file = ${JSON.stringify(FILE)}
    ${before}
    await inTurn(${JSON.stringify(NAME)}, async () => { ${work} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, stdio: 'ignore' })
  return { child, ended: once(child, 'exit').then(([code]) => code as number) }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function endsWithin(ms: number, { child, ended }: ReturnType<typeof takeTurn>): Promise<unknown> {
  const result = await Promise.race([ended, sleep(ms).then(() => 'still waiting')])
  child.kill('SIGKILL')
  return result
}

test('a turn left behind under the number that this process has now is taken over', async () => {
  const left = `writeFileSync(file, String(process.pid)); utimesSync(file, new Date(0), new Date(0))`
  expect(await endsWithin(8_000, takeTurn(left))).toBe(0)
  expect(existsSync(FILE)).toBe(false)
})

test('so is one whose number belongs to another program by now', async () => {
  writeFileSync(FILE, String(process.pid))
  utimesSync(FILE, new Date(0), new Date(0))
  expect(await endsWithin(8_000, takeTurn(''))).toBe(0)
})

test('who works is waited for, however long it takes', async () => {
  const first = takeTurn('', `await new Promise((resolve) => setTimeout(resolve, 13_000))`)
  while (!existsSync(FILE)) await sleep(50)
  const second = takeTurn('')
  expect(await Promise.race([second.ended, sleep(11_500).then(() => 'waiting')])).toBe('waiting')
  expect(await first.ended).toBe(0)
  expect(await endsWithin(8_000, second)).toBe(0)
})
