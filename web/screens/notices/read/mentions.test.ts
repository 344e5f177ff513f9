import { describe, expect, test } from 'vitest'
import { mentionIdsIn, splitMentions, typedMention } from './mentions.ts'

describe('typedMention', () => {
  test.each([
    ['@', { at: 0, keyword: '' }],
    ['안녕하세요 @홍길', { at: 6, keyword: '홍길' }],
    ['확인@홍', { at: 2, keyword: '홍' }],
    ['@홍길동 @김', { at: 5, keyword: '김' }],
  ])('finds the name that is typed in %s', (before, typed) => {
    expect(typedMention(before)).toEqual(typed)
  })

  test.each(['', '홍길동', '@홍길동 ', '@홍\n', 'hong@example', `@${'가'.repeat(21)}`])(
    'finds none in %s',
    (before) => expect(typedMention(before)).toBeUndefined(),
  )
})

/** Returns the IDs that a text still mentions of namesakes, selected in this order. */
const idsIn = (text: string, ...ids: string[]) =>
  mentionIdsIn({ text, mentions: ids.map((mentionId) => ({ mentionId, name: '김민서' })) })

describe('mentionIdsIn', () => {
  test('returns the IDs of people who are still named, each once', () => {
    const hong = { mentionId: '1', name: '홍길동' }
    const kim = { mentionId: '2', name: '김철' }
    expect(mentionIdsIn({ text: '@홍길동 김철', mentions: [hong, kim, hong] })).toEqual(['1'])
    const longer = { mentionId: '3', name: '김철수' }
    expect(mentionIdsIn({ text: '@김철수', mentions: [kim, longer] })).toEqual(['3'])
  })

  test('returns of one name as many as are still named, the latest selected', () => {
    expect(idsIn('@김민서', '1', '2')).toEqual(['2'])
    expect(idsIn('@김민서', '1', '2', '1')).toEqual(['1'])
    expect(idsIn('@김민서 @김민서', '1', '2', '3')).toEqual(['3', '2'])
    expect(idsIn('@김민서 @김민서', '1', '2', '2')).toEqual(['2'])
  })
})

/** Returns the parts of a text that are marked as mentions. */
const marked = (text: string, names: string[]) =>
  splitMentions(text, names).flatMap(({ part, isMention }) => (isMention ? [part] : []))

describe('splitMentions', () => {
  test('finds the longest name, and loses no text', () => {
    const text = '@김철수와 @김철, 김철 a@b @'
    expect(marked(text, ['김철', '김철수'])).toEqual(['@김철수', '@김철'])
    expect(
      splitMentions(text, ['김철'])
        .map(({ part }) => part)
        .join(''),
    ).toBe(text)
  })

  test('marks no one but mentioned people', () => {
    expect(marked('@관리자 @홍길동', ['홍길동'])).toEqual(['@홍길동'])
    expect(marked('', ['홍길동'])).toEqual([])
  })
})
