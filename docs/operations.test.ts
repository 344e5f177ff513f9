import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const [, emergencies = ''] = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').split(
  '\n## Emergencies\n',
)
const pages = emergencies.split('\n### ').slice(1)

describe('each emergency of docs/operations.md', () => {
  test.for(pages.map((page) => [page.split('\n')[0] ?? '', page] as const))(
    '%s: says by what it was tried',
    ([, page]) => {
      const files = [...page.matchAll(/`((?:server|docs|e2e)\/[\w/.-]+\.test\.ts)`/g)].map(
        ([, file = '']) => file,
      )
      expect(files.length).toBeGreaterThan(0)
      for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true)
    },
  )

  test('there are eleven', () => {
    expect(pages).toHaveLength(11)
  })
})
