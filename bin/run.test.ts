import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

/* The launcher (run.mjs) turns into the server process (rules/running#start). */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Lets the launcher become a program that says what `said` evaluates to. @returns that, and the launcher's own process */
async function become(
  said: string,
  env: Record<string, string> = {},
): Promise<[unknown, number | undefined]> {
  const folder = mkdtempSync(join(tmpdir(), 'maru-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'server.ts')
  writeFileSync(file, `import v8 from 'node:v8'\nconsole.log(JSON.stringify(${said}))`)
  const launch = `
    import { become } from './bin/run.mjs'
    await become(process.execPath, ${JSON.stringify(relative(ROOT, file))}, ['--word'])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', launch], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })
  let [out, complained] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (complained += chunk))
  const [code] = await once(child, 'close')
  expect([complained, code]).toEqual(['', 0])
  return [JSON.parse(out), child.pid]
}

test.skipIf(process.platform === 'win32')(
  'turns the launcher into the server: there is one process',
  async () => {
    const [said, pid] = await become('[process.pid, process.cwd(), process.argv.slice(2)]')
    expect(said).toEqual([pid, ROOT.replace(/\/$/, ''), ['--word']])
  },
)

test('gives a server the memory of NODE_OPTIONS, or 1 GB', async () => {
  const mb = 'Math.round(v8.getHeapStatistics().heap_size_limit / 1024 ** 2)'
  const [usual] = await become(mb)
  expect(usual).toBeGreaterThanOrEqual(1024)
  expect(usual).toBeLessThan(1100)
  const [more] = await become(mb, { NODE_OPTIONS: '--max-old-space-size=3000' })
  expect(more).toBeGreaterThanOrEqual(3000)
})

test.skipIf(process.platform === 'win32')(
  'shuts the server down on a signal to npm that only its shell receives (rules/running#stop)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maru-run-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'server.ts')
    writeFileSync(
      file,
      `process.on('SIGTERM', () => { console.log('in order'); process.exit(0) })
      setInterval(() => {}, 1000)
      console.log('ready')`,
    )
    const launch = join(folder, 'launch.mjs')
    writeFileSync(
      launch,
      `import { run } from ${JSON.stringify(join(ROOT, 'bin/run.mjs'))}
      await run(process.execPath, ${JSON.stringify(relative(ROOT, file))}, [])`,
    )
    // A shell that stays, as npm's does.
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${launch}"; true`], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    shell.stdout.on('data', (chunk) => (said += chunk))
    await once(shell.stdout, 'data')
    shell.kill()
    // Open until all of them have ended.
    await once(shell.stdout, 'close')
    expect(said).toBe('ready\nin order\n')
  },
)
