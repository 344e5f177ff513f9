import { describe, expect, test } from 'vitest'
import { cleanCode, hasKorean } from './code-input.ts'

describe('typing a partner code (rules/partners#code-input)', () => {
  test('silently drops symbols and spaces', () => {
    for (const symbol of `{}[]/?.,;:|()*~\`!^+<>@#$%&'"\\= \t`) expect(cleanCode(`A${symbol}1`)).toBe('A1')
  })

  test('raises letters to upper case and keeps - and _', () => {
    expect(cleanCode('hanbit-eng_01')).toBe('HANBIT-ENG_01')
  })

  test('drops other letters, even those whose upper case is two Latin letters', () => {
    expect(cleanCode('ßéıＡ漢🙂')).toBe('')
  })

  test('recognizes Korean in every form that a keyboard or a file produces', () => {
    for (const text of ['한', 'ㅎ', 'ㅏ', 'A한1', '한'.normalize('NFD'), 'ﾡ'])
      expect(hasKorean(text)).toBe(true)
    for (const text of ['A1-_', 'é', '漢字', 'カナ', '']) expect(hasKorean(text)).toBe(false)
  })
})
