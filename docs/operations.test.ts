import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
const [, emergencies = ''] = operations.split('\n## Emergencies\n')
const titles = (emergencies.split('\n## ')[0] ?? '')
  .split('\n### ')
  .slice(1)
  .map((page) => page.split('\n')[0] ?? '')
const rehearsals = readFileSync(join(ROOT, 'docs/rehearsals.md'), 'utf8').split('\n')

describe('each emergency of docs/operations.md', () => {
  test.for(titles)('has its test in docs/rehearsals.md: %s', (title) => {
    const row = rehearsals.find((line) => line.startsWith(`| ${title} `)) ?? ''
    const files = [...row.matchAll(/`((?:server|docs|e2e)\/[\w/.-]+\.test\.ts)`/g)].map(
      ([, file = '']) => file,
    )
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true)
  })

  test('has eleven emergencies', () => {
    expect(titles).toHaveLength(11)
  })
})

describe('docs/operations.md', () => {
  test('quotes only messages that the code has', () => {
    const sources = globSync('{server,contract}/**/*.ts', { cwd: ROOT })
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    // An ellipsis replaces a value. The audit search composes “Refusals: all”.
    const quotes = [...operations.matchAll(/“([^”]+)”/g)].flatMap(([, quote = '']) =>
      quote.split(/\s*…\s*|: /),
    )
    const missing = quotes
      .map((quote) => quote.replaceAll(/\s+/g, ' '))
      .filter((quote) => !sources.some((text) => text.includes(quote)))
    expect(missing).toEqual([])
  })
})
