import { describe, expect, test } from 'vitest'
import { splitLinks } from './links.tsx'
import { editOf, withoutPicture } from '../write/text-tools.ts'

const ORIGIN = 'https://maru.example'
const links = (text: string) => splitLinks(text, ORIGIN).flatMap(({ href }) => href ?? [])

describe('web addresses in a memo', () => {
  test('become links without trailing punctuation, and no text is lost', () => {
    const text = '자세한 내용은 https://example.com/안내?a=1. (http://intra/x) 참고\n끝'
    expect(links(text)).toEqual(['https://example.com/%EC%95%88%EB%82%B4?a=1', 'http://intra/x'])
    expect(
      splitLinks(text, ORIGIN)
        .map(({ part }) => part)
        .join(''),
    ).toBe(text)
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'xhttps://example.com',
    'https://',
    '<a href="javascript:alert(1)">',
    '',
    // A name before @ passes for another site.
    'https://bank.com@evil.example',
    'https://bank.com:443@evil.example/login',
    'https://maru.example/logout',
  ])('exclude %s', (text) => {
    expect(links(text)).toEqual([])
  })
})

const all = (text: string) => ({ text, start: 0, end: text.length })

describe('functions on hostile text', () => {
  const WORDS = { text: '글', link: '이름', column: '제목', cell: '내용' }
  const FUNCTIONS: Record<string, (text: string) => unknown> = {
    links,
    bold: (text) => editOf('bold', all(text), WORDS),
    'bold in lines': (text) => editOf('bold', all(`${text}\n${text}`), WORDS),
    'bold after': (text) =>
      editOf('bold', { text: `${text}x`, start: text.length, end: text.length + 1 }, WORDS),
    withoutPicture: (text) => withoutPicture(text, 'abcdefghi1'),
  }
  const PARTS = [
    ' ',
    '\t',
    '\n',
    '.',
    '[',
    '![',
    '*',
    ' *',
    'http://a.',
    '..a',
    '\\',
    'a ',
    '![](image:abcdefghi1 ',
  ]

  test.each(Object.keys(FUNCTIONS))('%s takes time in proportion to the length of the text', (name) => {
    const run = FUNCTIONS[name] ?? links
    // The least of some measurements: a busy machine makes some of them slow.
    const msOf = (text: string, times: number) =>
      Math.min(
        ...Array.from({ length: times }, () => {
          const start = performance.now()
          run(text)
          return performance.now() - start
        }),
      )
    const slow = PARTS.filter((part) =>
      ['', 'http://a', 'a'].some((before) => {
        const text = (count: number) => `${before}${part.repeat(count / part.length)}x`
        return msOf(text(80_000), 1) > 50 && msOf(text(80_000), 5) > Math.max(50, 10 * msOf(text(20_000), 5))
      }),
    )
    expect(slow).toEqual([])
  })
})
