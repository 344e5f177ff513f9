import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** How many items each guideline of KWCAG 2.2 has, in order. */
const PUBLISHED: Record<string, number> = {
  '5.1': 1,
  '5.2': 1,
  '5.3': 3,
  '5.4': 4,
  '6.1': 4,
  '6.2': 2,
  '6.3': 1,
  '6.4': 4,
  '6.5': 4,
  '7.1': 1,
  '7.2': 2,
  '7.3': 4,
  '8.1': 1,
  '8.2': 1,
}

const rows = [
  ...read('docs/accessibility.md').matchAll(/^\| (\d\.\d\.\d) \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm),
].map(([, item = '', name = '', status = '', by = '']) => ({ item, name, status, by }))

const filesOf = (text: string) =>
  [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.tsx?)`/g)].map(([, path = '']) => path)

describe('the items in docs/accessibility.md', () => {
  test('lists the 33 published items, each once and in order, with one of three statuses', () => {
    const published = Object.entries(PUBLISHED).flatMap(([guideline, count]) =>
      Array.from({ length: count }, (_, index) => `${guideline}.${index + 1}`),
    )
    expect(published).toHaveLength(33)
    expect(rows.map(({ item }) => item)).toEqual(published)
    expect(rows.filter(({ status }) => !['met', 'not applicable', 'open'].includes(status))).toEqual([])
  })

  test('name files that exist and titles that occur in them', () => {
    for (const { item, by, status } of rows) {
      const files = filesOf(by)
      expect.soft([item, files.filter((path) => !existsSync(join(ROOT, path)))]).toEqual([item, []])
      const told = files.map(read).join('\n')
      const titles = status === 'open' ? [] : [...by.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title)
      expect.soft([item, titles.filter((title) => !told.includes(title))]).toEqual([item, []])
    }
  })

  test('name a test, or a rule that has one, for each item that is met', () => {
    const unshown = rows.filter(
      ({ status, by }) =>
        status === 'met' &&
        !/`rules\/[a-z]+#[\w-]+`/.test(by) &&
        !filesOf(by).some((path) => /\.(test|spec)\.ts$/.test(path)),
    )
    expect(unshown).toEqual([])
  })
})

describe('what docs/accessibility.md says of all screens', () => {
  const pages = globSync('{web/**/*.{ts,tsx,css},index.html}', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.test.ts'))
  const using = (pattern: RegExp) => pages.filter((path) => pattern.test(read(path))).toSorted()

  test('has no screen that plays sound or video', () => {
    expect(using(/<(video|audio|embed|track)\b|new Audio\(/)).toEqual([])
  })

  test('allows repeating animations to turn or glide, not to flash', () => {
    expect(using(/\binfinite\b/)).toEqual(['web/ui/data-table.module.css', 'web/ui/spinner.module.css'])
    expect(using(/<(marquee|blink)\b|http-equiv="refresh"/)).toEqual([])
  })

  test('acts on release, not on press', () => {
    // The edge of a column follows the pointer; the menu only notes what kind of pointer it is.
    expect(using(/\bon(PointerDown|MouseDown|TouchStart)=/)).toEqual([
      'web/layout/menu.tsx',
      'web/ui/column-resizer.tsx',
    ])
  })

  test('has no listener for the motion of a device', () => {
    expect(using(/devicemotion|deviceorientation|Accelerometer|Gyroscope/)).toEqual([])
  })
})
