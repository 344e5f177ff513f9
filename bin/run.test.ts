import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

/* What the launcher (run.mjs) leaves behind (rules/running#start). */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

test.skipIf(process.platform === 'win32')(
  'the launcher becomes the server: there is one process',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maru-run-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'server.ts')
    writeFileSync(file, 'console.log(JSON.stringify([process.pid, process.cwd(), process.argv.slice(2)]))')
    const launch = `
    import { become } from './bin/run.mjs'
    await become(process.execPath, ${JSON.stringify(relative(ROOT, file))}, ['--word'])`
    const child = spawn(process.execPath, ['--input-type=module', '-e', launch], { cwd: ROOT })
    let [said, complained] = ['', '']
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stderr.on('data', (chunk) => (complained += chunk))
    const [code] = await once(child, 'close')
    expect([complained, code]).toEqual(['', 0])
    expect(JSON.parse(said)).toEqual([child.pid, ROOT.replace(/\/$/, ''), ['--word']])
  },
)

test.skipIf(process.platform === 'win32')(
  'a signal to npm ends the server in order, though only the shell between them hears of it (rules/running#stop)',
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
