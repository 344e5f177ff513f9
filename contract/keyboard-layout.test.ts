import { describe, expect, it } from 'vitest'
import { inOtherLayout } from './keyboard-layout.ts'

describe('inOtherLayout', () => {
  it('returns the word of the other layout (rules/frame#palette)', () => {
    expect(inOtherLayout('rlacjf')).toBe('김철')
    expect(inOtherLayout('ㅁ으ㅑㅜ')).toBe('admin')
  })

  it('returns nothing for text that is no word in the other layout (rules/frame#palette)', () => {
    for (const text of ['', 'n', 'user', 'role', 'nothing', '2026', '김철', 'ㅅㅇㄷㄱ', '승인 댁'])
      expect(inOtherLayout(text), text).toBeUndefined()
  })
})
