import { expect, test } from 'vitest'
import { preferredLanguage } from './language.ts'

test.each([
  [undefined, 'ko'],
  ['', 'ko'],
  ['ko', 'ko'],
  ['en', 'en'],
  ['EN-us', 'en'],
  ['ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7', 'ko'],
  ['en-US,en;q=0.9,ko;q=0.8', 'en'],
  ['ko;q=0.1, en;q=0.2', 'en'],
  ['ko;q=0.2, en;q=0.2', 'ko'],
  ['en;q=0.2, ko;q=0.2', 'en'],
  ['en;q=0', 'ko'],
  ['ja, fr;q=0.9, en;q=0.1', 'en'],
  ['ja, fr', 'ko'],
  ['*', 'ko'],
  ['english', 'ko'],
  [';;;,,,=;q=', 'ko'],
  ['en;q=abc', 'en'],
  ['en;q=1.2.3', 'ko'],
])(
  'answers Accept-Language %j in %s, Korean unless English is preferred (rules/frame#languages)',
  (header, language) => {
    expect(preferredLanguage(header)).toBe(language)
  },
)
