import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

/* The launcher's turns (file-lock.mjs), taken by real processes. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NAME = `test-${process.pid}`
const FILE = join(ROOT, '.cache', `${NAME}.turn`)

beforeEach(() => mkdirSync(join(ROOT, '.cache'), { recursive: true }))
afterEach(() => rmSync(FILE, { force: true }))

/** Takes the turn in a process of its own, which works until its input ends. */
function takeTurn(before = '') {
  const script = `
    import { utimesSync, writeFileSync } from 'node:fs'
    import { withFileLock } from './bin/file-lock.mjs'
    const file = ${JSON.stringify(FILE)}
    ${before}
    await withFileLock(${JSON.stringify(NAME)}, async () => { for await (const _ of process.stdin); })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT })
  return { child, ended: once(child, 'exit').then(([code]) => code as number) }
}

/** Lets it finish its work, as soon as it has its turn. */
async function end({ child, ended }: ReturnType<typeof takeTurn>): Promise<number> {
  child.stdin.end()
  return ended
}

test('takes over a lock left behind under the number of this process', async () => {
  const left = `writeFileSync(file, String(process.pid)); utimesSync(file, new Date(0), new Date(0))`
  expect(await end(takeTurn(left))).toBe(0)
  expect(existsSync(FILE)).toBe(false)
})

test('takes over a lock whose number now belongs to another program', async () => {
  writeFileSync(FILE, String(process.pid))
  utimesSync(FILE, new Date(0), new Date(0))
  expect(await end(takeTurn())).toBe(0)
})

test('renews the lock of a working process while others wait for it', async () => {
  const first = takeTurn()
  await expect.poll(() => existsSync(FILE)).toBe(true)
  const second = takeTurn()
  const [said] = (await once(second.child.stdout, 'data')) as [Buffer]
  expect(said.toString()).toContain('waiting for it')
  // Silent for a while, and not yet for so long that it is taken for dead.
  const before = Date.now() - 2_000
  utimesSync(FILE, new Date(before), new Date(before))
  await expect.poll(() => statSync(FILE).mtimeMs).toBeGreaterThan(before + 1_000)
  expect(second.child.exitCode).toBeNull()
  expect(await end(first)).toBe(0)
  expect(await end(second)).toBe(0)
})
