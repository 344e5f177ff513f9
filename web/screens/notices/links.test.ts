import { describe, expect, test } from 'vitest'
import { linked } from './links.ts'

const links = (text: string) => linked(text).flatMap(({ href }) => href ?? [])

describe('web addresses in a memo', () => {
  test('become links without trailing punctuation, and no text is lost', () => {
    const text = '자세한 내용은 https://example.com/안내?a=1. (http://intra/x) 참고\n끝'
    expect(links(text)).toEqual(['https://example.com/%EC%95%88%EB%82%B4?a=1', 'http://intra/x'])
    expect(
      linked(text)
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
  ])('exclude %s', (text) => {
    expect(links(text)).toEqual([])
  })
})
