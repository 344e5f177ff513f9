import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  citationOf,
  isVerified,
  type Law,
  LAW_NAMES,
  LAW_SOURCES,
  LAWS,
  overdueLaws,
  sourceOf,
} from './laws.ts'
import { CERTIFICATE_LAWS, REQUIREMENT_LAWS, RETENTION_LAWS, SETTING_LAWS } from './law-references.ts'
import { updateSettings } from './settings.ts'
import { RETENTION_KINDS } from './settings/retention.ts'
import { securityForm } from './settings/security.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const laws = Object.entries<Law>(LAWS)

/** Every text of the product and its documents, also of files that are not committed yet. */
const texts = execFileSync(
  'git',
  [
    '-c',
    'safe.directory=*',
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    'contract',
    'web',
    'server',
    'docs',
  ],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\0')
  .filter(
    (path) => /\.(ts|tsx|js|mjs|css|html|md|json|sql|txt|eml)$/.test(path) && existsSync(join(ROOT, path)),
  )
  .map((path) => ({ path, text: read(path) }))

/** Citations of a law, an official notice or an item of the certification, in Korean and in English. */
const CITATION =
  /제 ?\d+(?:-\d+)?(?:조|항|호)|고시 제|기준 ?§|법 ?§|§ ?\d|\bart(?:icle|\.) ?\d|ISMS-P \d|(?<![\d.])[123]\.\d{1,2}\.\d{1,2}(?![\d.])/giu

/** Numbers of three parts that are no item of the certification: versions, other standards, coordinates and test data. */
const OTHER_NUMBERS = [
  'docs/asvs.md',
  'docs/asvs.test.ts',
  'docs/accessibility.md',
  'docs/accessibility.test.ts',
  'docs/scaling.md',
  'docs/rules/wire.md',
  'contract/messages/language.test.ts',
]
const isOtherNumber = (path: string, found: string, line: string) =>
  /^\d/.test(found) &&
  (OTHER_NUMBERS.includes(path) || /<path|\bd=|[Tt]us|TUS|openapi|version|v\d/.test(line))

const REGISTER = /^contract\/laws(\.test)?\.ts$/

/** Returns the citations in a text, with their lines. */
const citationsIn = (path: string, text: string) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(CITATION)]
        .filter(([found]) => !isOtherNumber(path, found, line))
        .map(([found]) => `${path}:${index + 1} ${found}`),
    )

describe('the register of laws (rules/audit#laws)', () => {
  test('is the only place that cites an article, a notice or an item of the certification', () => {
    expect(
      texts.filter(({ path }) => !REGISTER.test(path)).flatMap(({ path, text }) => citationsIn(path, text)),
    ).toEqual([])
    for (const citation of [
      '기준 제8조제2항',
      '고시 제2023-6호',
      'ISMS-P 2.6.3',
      '법 §21',
      'article 21',
      'art. 8',
    ])
      expect(citationsIn('docs/x.md', `a ${citation} b`)).not.toEqual([])
  })

  test('names rules that exist', () => {
    const anchors = new Map<string, string[]>()
    const anchorsOf = (page: string) => {
      if (!anchors.has(page))
        anchors.set(
          page,
          [...read(`docs/rules/${page}.md`).matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
            heading
              .toLowerCase()
              .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
              .replaceAll(/\s/g, '-'),
          ),
        )
      return anchors.get(page) ?? []
    }
    const missing = laws.flatMap(([name, { rules }]) =>
      rules.flatMap((rule) => {
        const [page = '', anchor = ''] = rule.split('#')
        return anchorsOf(page).includes(anchor) ? [] : [`${name}: ${rule}`]
      }),
    )
    expect(missing).toEqual([])
  })

  test('names settings and environment variables that exist', () => {
    const known = new Set<string>([
      ...RETENTION_KINDS,
      'officerName',
      'officerContact',
      ...Object.keys(securityForm._zod.def.shape),
      ...Object.keys(updateSettings.input._zod.def.shape),
      ...[...read('.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name),
    ])
    expect(
      laws.flatMap(([name, { settings }]) =>
        settings.flatMap((setting) => (known.has(setting) ? [] : [`${name}: ${setting}`])),
      ),
    ).toEqual([])
  })

  test('is complete: every entry has its duty in both languages, days, and a rule or the mark of a duty outside', () => {
    for (const [name, law] of laws) {
      for (const text of Object.values(law.duty))
        expect([name, text]).toEqual([name, expect.stringMatching(/\.$/)])
      expect(law.checked).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(law.inForce).toMatch(/^(\d{4}-\d\d(-\d\d)?)?$/)
      expect([name, law.kind === 'outside' || law.rules.length > 0]).toEqual([name, true])
    }
    const referenced = [REQUIREMENT_LAWS, RETENTION_LAWS, SETTING_LAWS].flatMap((lists) =>
      Object.values(lists).flat(),
    )
    for (const name of [...referenced, ...CERTIFICATE_LAWS]) expect(LAW_NAMES).toContain(name)
  })

  test('has every entry that a document or the code names as `law/…`', () => {
    const named = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/\blaw\/([a-zA-Z]+)/g)].map(([, name = '']) => ({ path, name })),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(({ name }) => !LAW_NAMES.includes(name as never))).toEqual([])
  })

  test('writes citations in both languages, with the edition in the full source', () => {
    expect(citationOf('accessLogInspected', 'ko')).toBe('안전성 확보조치 기준\u00A0제8조제2항')
    expect(citationOf('accessLogInspected', 'en')).toBe('Safety Standard\u00A0art. 8(2)')
    expect(citationOf('addressLimit', 'ko')).toBe('안전성 확보조치 기준\u00A0제6조제1항제1호')
    expect(citationOf('applicationAccess', 'ko')).toBe('ISMS-\u2060P\u00A02.6.3')
    expect(citationOf('transferAbroad', 'ko')).toBe('개인정보 보호법\u00A0제28조의8제1항')
    expect(citationOf('transferAbroad', 'en')).toBe('PIPA\u00A0art. 28-8(1)')
    expect(sourceOf('destruction', 'ko')).toBe('개인정보 보호법 제21조제1항 (법률 제21445호, 2026-03-10)')
  })

  test('counts an entry as verified only if the cited edition was seen', () => {
    expect(isVerified({ seen: 'edition' })).toBe(true)
    for (const seen of ['earlier', 'none'] as const) expect(isVerified({ seen })).toBe(false)
    const unverified = laws.filter(([, law]) => !isVerified(law)).map(([name]) => name)
    // The page shows them; the list is for those who check the sources next.
    process.stdout.write(`Entries of the register that are not verified: ${unverified.join(', ')}\n`)
    expect(LAW_SOURCES.safety.date).toBe('2026-07-01')
  })

  test('warns of entries that were not checked for 90 days', () => {
    const law = { ...LAWS.destruction, checked: '2026-01-01' }
    expect(overdueLaws({ law }, '2026-04-01')).toEqual([])
    expect(overdueLaws({ law }, '2026-04-02')).toEqual(['law'])
    const overdue = overdueLaws(LAWS, new Date().toISOString().slice(0, 10))
    if (overdue.length > 0)
      process.stderr.write(`Warning: check these entries of contract/laws.ts: ${overdue.join(', ')}\n`)
  })
})
