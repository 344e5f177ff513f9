import { describe, expect, test } from 'vitest'
import { cleanCode, hasKorean } from './code-input.ts'

describe('what a partner code takes (rules/partners#code-input)', () => {
  test('every symbol, and spaces, are silently ignored', () => {
    for (const symbol of `{}[]/?.,;:|()*~\`!^+<>@#$%&'"\\= \t`) expect(cleanCode(`A${symbol}1`)).toBe('A1')
  })

  test('letters become upper case; - and _ stay', () => {
    expect(cleanCode('hanbit-eng_01')).toBe('HANBIT-ENG_01')
  })

  test('what is no letter of a code never gets in, also where upper case makes two of one', () => {
    expect(cleanCode('ßéıＡ漢🙂')).toBe('')
  })

  test('Korean is known in every form that a keyboard or a file brings', () => {
    for (const text of ['한', 'ㅎ', 'ㅏ', 'A한1', '한'.normalize('NFD'), 'ﾡ'])
      expect(hasKorean(text)).toBe(true)
    for (const text of ['A1-_', 'é', '漢字', 'カナ', '']) expect(hasKorean(text)).toBe(false)
  })
})
