import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { release } from './release.ts'

let root: string
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=a@b.example', ...args], {
    cwd: root,
    encoding: 'utf8',
  }).trim()
const textOf = (name: string) => readFileSync(join(root, name), 'utf8')

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'maru-release-'))
  writeFileSync(join(root, 'package.json'), '{ "name": "maru", "version": "0.2.0" }')
  writeFileSync(
    join(root, 'CHANGELOG.md'),
    '# Changelog\n\n## 0.2.0, not released\n\n- New.\n\n## 0.1.0, 2026-11-01\n',
  )
  mkdirSync(join(root, 'server/operator/releases/0.2.0'), { recursive: true })
  writeFileSync(join(root, 'server/operator/releases/0.2.0/a'), '')
  git('init', '-q')
  for (const [name, value] of [
    ['user.name', 'Test'],
    ['user.email', 'a@b.example'],
  ] as const)
    git('config', name, value)
  git('add', '.')
  git('commit', '-qm', 'Begin')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('dates the changelog, tags what it bundles, and begins the next version', () => {
  let bundled = ''
  const bundle = () => void (bundled = git('describe', '--exact-match'))
  expect(release({ root, date: '2026-11-26', bundle })).toBe('0.2.0')
  expect(bundled).toBe('v0.2.0')
  expect(git('log', '--format=%s')).toBe('Begin version 0.3.0\nRelease 0.2.0\nBegin')
  expect(git('show', 'v0.2.0:CHANGELOG.md')).toContain('\n## 0.2.0, 2026-11-26\n\n- New.')
  expect(textOf('CHANGELOG.md')).toContain('\n## 0.3.0, not released\n\n## 0.2.0, 2026-11-26\n')
  expect(textOf('package.json')).toMatch(/"version": ?"0\.3\.0"/)
})

test('refuses changed files, a released version and a missing backup, and changes nothing', () => {
  const attempt = () => release({ root, date: '2026-11-26', next: '1.0.0', bundle: expect.unreachable })
  writeFileSync(join(root, 'new'), '')
  expect(attempt).toThrow('Files were changed')
  rmSync(join(root, 'new'))
  git('mv', 'server/operator/releases/0.2.0', 'server/operator/releases/0.1.0')
  git('commit', '-qm', 'Rename')
  expect(attempt).toThrow('server/operator/releases/0.2.0 is missing')
  git('mv', 'server/operator/releases/0.1.0', 'server/operator/releases/0.2.0')
  writeFileSync(join(root, 'CHANGELOG.md'), '## 0.2.0, 2026-11-20\n')
  git('commit', '-qam', 'Release')
  expect(attempt).toThrow('has no section')
  expect([git('status', '--porcelain'), git('tag')]).toEqual(['', ''])
})
