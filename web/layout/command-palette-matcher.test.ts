import { describe, expect, it } from 'vitest'
import { createMatcher } from './command-palette-matcher.ts'

describe('createMatcher', () => {
  it('matches initial consonants and an unfinished syllable (rules/frame#palette)', () => {
    expect(createMatcher('ㅅㅇㄷㄱ')('승인 대기')).toBe(true)
    expect(createMatcher('승인 댁')('승인 대기')).toBe(true)
    expect(createMatcher('ㅅㅇㄱㄷ')('승인 대기')).toBe(false)
  })

  it('matches text typed in the other keyboard layout (rules/frame#palette)', () => {
    expect(createMatcher('tmddls')('승인 대기')).toBe(true)
    expect(createMatcher('TMDDLS')('승인 대기')).toBe(true)
    expect(createMatcher('tdeg')('승인 대기')).toBe(false)
    expect(createMatcher('tder')('승인 대기')).toBe(true)
    expect(createMatcher('ㅣㅐㅎ ㅐㅕㅅ')('Log out')).toBe(true)
  })

  it('matches everything with an empty text', () => {
    expect(createMatcher('')('승인 대기')).toBe(true)
  })
})
