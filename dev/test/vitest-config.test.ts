import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** The paths that a pattern with at most one `{a,b}` list stands for. */
function alternatives(pattern: string): string[] {
  const [, before = pattern, list, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? []
  return list === undefined ? [before] : list.split(',').map((one) => before + one + after)
}

test('finds test files for every path that the Vitest configuration names', () => {
  const config = readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8')
  const paths = [...config.matchAll(/'([^'!]*\.test\.ts)'/g)].flatMap(([, pattern = '']) =>
    alternatives(pattern),
  )
  expect(paths.length).toBeGreaterThan(40)
  const isMissing = (path: string) =>
    !path.startsWith('bin/') && globSync(path, { cwd: ROOT, exclude: ['node_modules/**'] }).length === 0
  expect(paths.filter(isMissing)).toEqual([])
})
