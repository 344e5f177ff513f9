import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const paths = git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)))

/** The commit before the first one whose subject follows docs/style.md. */
const FIRST_COMMIT = 'a25aea91'

/** Openings that make a noun clause or a fronted “of” of a sentence. */
const NOUN_CLAUSE = /^(?:What|Who|Whose|Whom|Whoever|Whatever|Of(?! course\b)|That(?! is\b| means\b))\b/

/** The comments of all code: path, line and text without its marks. Successive `//` lines are one comment. */
const comments = paths
  .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
  .flatMap((path) => {
    const code = read(path)
    let lastEnd = -1
    return parseSync(path, code).comments.flatMap(({ type, value, start, end }) => {
      const isContinued = type === 'Line' && /^\n[ \t]*$/.test(code.slice(lastEnd, start))
      lastEnd = type === 'Line' ? end : -1
      const text = value.replaceAll(/^[ \t]*\*+ ?/gm, '').trim()
      return [{ where: `${path}:${code.slice(0, start).split('\n').length}`, text, isContinued }]
    })
  })

const pages = paths.filter((path) => path.endsWith('.md') && path !== 'docs/style.md')

/** The phrases in the first column of the table of retired words. */
const retired = [...read('docs/style.md').matchAll(/^\| ([a-z', ]+) \| /gm)].flatMap(([, cell = '']) =>
  cell.split(', '),
)

describe('the text of the repository (docs/style.md)', () => {
  test('has no comment that opens with a noun clause', () => {
    expect(
      comments
        .filter(({ text, isContinued }) => !isContinued && NOUN_CLAUSE.test(text) && !/\?$/m.test(text))
        .map(({ where, text }) => `${where} ${text.slice(0, 80)}`),
    ).toEqual([])
  })

  test('has no retired word in comments and pages', () => {
    expect(retired.length).toBeGreaterThan(15)
    const pattern = new RegExp(`\\b(?:${retired.join('|').replaceAll("'", "['’]")})\\b`, 'i')
    const texts = [...comments, ...pages.flatMap((path) => ({ where: path, text: read(path) }))]
    expect(
      texts.flatMap(({ where, text }) => {
        const match = pattern.exec(text.replaceAll(/\s+/g, ' '))
        return match === null ? [] : [`${where} ${match[0]}`]
      }),
    ).toEqual([])
  })

  test('has no test title that opens with a noun clause', () => {
    expect(
      paths
        .filter((path) => /\.(test|spec)\.tsx?$/.test(path))
        .flatMap((path) =>
          [
            ...read(path).matchAll(
              /\b(?:test|it)(?:\.\w+(?:\(.*?\))?)?\(\s*['"`]((?:what|who|whose|of|that)\b[^'"`]*)/gi,
            ),
          ].map(([, title]) => `${path} ${title}`),
        ),
    ).toEqual([])
  })

  test('has commit subjects of at most 72 characters without a period', () => {
    // A shallow clone ends somewhere after the first commit.
    const isWhole = git('rev-parse', '--is-shallow-repository').trim() === 'false'
    const subjects = git('log', '--no-merges', '--format=%s', isWhole ? `${FIRST_COMMIT}..HEAD` : '-1')
      .trim()
      .split('\n')
    expect(subjects.filter((subject) => subject.length > 72 || subject.endsWith('.'))).toEqual([])
  })
})
