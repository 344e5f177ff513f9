import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../contract/index.ts'
import { ko } from '../contract/messages/ko.ts'
import { pages, type Page } from '../contract/pages.ts'
import { rulesPages } from '../server/cli/call-tables.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Every text of the repository, new files too. */
const texts = execFileSync(
  'git',
  ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\0')
  .filter((path) => /\.(ts|tsx|mjs|js|css|html|md|json|sql|py|sh|yml|example)$/.test(path))
  .filter(
    (path) => path !== 'package-lock.json' && path !== 'docs/rules.test.ts' && existsSync(join(ROOT, path)),
  )
  .map((path) => ({ path, text: read(path) }))

const nouns = readdirSync(join(ROOT, 'docs/rules')).filter((name) => name !== 'README.md')

/** The cells that a pattern finds in the tables of all rules, row by row. */
const rows = (pattern: RegExp) =>
  nouns.flatMap((name) =>
    [...read(`docs/rules/${name}`).matchAll(pattern)].map(([, ...cells]) => cells.join(' ')),
  )

/** The anchor that GitHub makes of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

const headingsOf = (path: string, levels: RegExp) =>
  [...read(path).matchAll(levels)].map(([, heading = '']) => anchorOf(heading))

/** Every rule as it is named: `users#approval`. */
const rules = nouns.flatMap((name) =>
  headingsOf(`docs/rules/${name}`, /^### (.+)$/gm).map((anchor) => `${name.replace(/\.md$/, '')}#${anchor}`),
)

function found(pattern: RegExp, isWrong: (match: RegExpMatchArray, path: string) => boolean): string[] {
  return texts.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].filter((match) => isWrong(match, path)).map(([match]) => `${path}: ${match}`),
  )
}

/** Returns whether a reference to a section of docs/design is broken. */
const isBrokenDesign = ([, page, anchor]: RegExpMatchArray) =>
  !existsSync(join(ROOT, `docs/design/${page}.md`)) ||
  !headingsOf(`docs/design/${page}.md`, /^##? (.+)$/gm).includes(anchor ?? '')

describe('the rules in docs/rules', () => {
  test('have unique names', () => {
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
  })

  test('exist wherever a document or the code refers to them', () => {
    expect(
      found(/\brules\/([a-z]+)(#[\w-]+)?/g, ([, page, anchor]) => {
        if (page === 'README') return false
        return anchor === undefined ? !nouns.includes(`${page}.md`) : !rules.includes(`${page}${anchor}`)
      }),
    ).toEqual([])
  })

  test('are each named by a test', () => {
    const tests = texts.filter(({ path }) => /\.(test|spec)\.ts$/.test(path)).map(({ text }) => text)
    const named = new Set(
      tests.flatMap((text) => [...text.matchAll(/rules\/([a-z]+#[\w-]+)/g)].map(([, rule]) => rule)),
    )
    expect(rules.filter((rule) => !named.has(rule))).toEqual([])
  })

  test('hold the tables that npm run rules writes, with a meaning for every name (rules/wire#names)', () => {
    const written = [...rulesPages()]
    expect(
      written.filter(([path, text]) => readFileSync(path, 'utf8') !== text).map(([path]) => path),
    ).toEqual([])
    expect(written.flatMap(([, text]) => text.match(/^\| `[A-Z][A-Z0-9_]*` .*\|\s*\|$/gm) ?? [])).toEqual([])
    const calls = written.flatMap(([, text]) => text.match(/^\| `\/\w+\/v1\/[\w/]+`/gm) ?? [])
    expect(calls).toHaveLength(endpoints.length)
  })

  test('list exactly the pages, who may open them and their place in the menu', () => {
    const listed = rows(/^\| (\/\S*) \| (.*?) \| (.*?) \|/gm)
    const present = Object.entries<Page>(pages).map(
      ([path, { needsLogin, permission, orPermission, menu }]) => {
        const holders = [permission, orPermission].flatMap((name) =>
          name === undefined ? [] : `\`${name}\``,
        )
        const who = holders.join(' or ') || (needsLogin ? 'signed in' : 'anybody')
        return `${path} ${who} ${menu === undefined ? '–' : ko.menu.groups[menu]}`
      },
    )
    expect(listed.toSorted()).toEqual(present.toSorted())
  })
})

describe('references', () => {
  test('lead to an existing file and heading in links between documents', () => {
    const broken = texts.flatMap(({ path, text }) => {
      if (!path.endsWith('.md')) return []
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
      return links
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [file = '', anchor] = link.split('#')
          const target = file === '' ? path : join(dirname(path), file)
          if (!existsSync(join(ROOT, target))) return true
          return anchor !== undefined && !headingsOf(target, /^#+ (.+)$/gm).includes(anchor)
        })
        .map((link) => `${path}: ${link}`)
    })
    expect(broken).toEqual([])
  })

  test.for(['docs', 'docs/rules', 'docs/design'])(
    'in %s/README.md list every page of the folder',
    (folder) => {
      const pagesOf = readdirSync(join(ROOT, folder)).filter((name) => /^(?!README).*\.md$/.test(name))
      expect(pagesOf.filter((name) => !read(`${folder}/README.md`).includes(`](${name})`))).toEqual([])
    },
  )

  test('never name papers outside the repository', () => {
    expect(
      found(
        /\b(spec|decisions) §|\bissue \d|\.\.\/shared|\b(spec|decisions)\.md|\bdecisions? \d{3}/gi,
        () => true,
      ),
    ).toEqual([])
  })

  test('lead to an existing section of docs/design', () => {
    expect(found(/\bdesign\/([a-z-]+)#([\w-]+)/g, isBrokenDesign)).toEqual([])
    expect(found(/\bADRs? \d{3}/g, () => true)).toEqual([])
  })
})
