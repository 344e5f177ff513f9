import { describe, expect, test } from 'vitest'
import { createNotice, getNotice, listNotices, updateNotice } from '../../../contract/notices.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { withoutSigns, writtenMemo } from './notice-body.ts'

const maru = useMaru()
const many = (text: string) => text.repeat(100_000 / text.length)

describe('the text of a notice (rules/notices#text-of-a-notice)', () => {
  test('is plain by default, and keeps its format if an edit does not mention it', async () => {
    const author = await maru.createUser()
    const input = { bulletCode: 'BE0001' as const, title: '서식' }
    const { noticeId } = (await maru.call(createNotice, { ...input, memo: '**중요** 공지' }, author)).data
    const edit = (more: object) =>
      maru.call(updateNotice, { ...input, noticeId, memo: '**급한** 공지', ...more }, author)
    const shown = async () => {
      const { memo, memoFormat } = (await maru.call(getNotice, { noticeId }, author)).data
      const row = maru.database.db.selectFrom('notices').select('memoText').where('id', '=', noticeId)
      return [memo, memoFormat, (await row.executeTakeFirstOrThrow()).memoText]
    }
    expect(await shown()).toEqual(['**중요** 공지', 'plain', null])
    await edit({ memoFormat: 'markdown' })
    expect(await shown()).toEqual(['**급한** 공지', 'markdown', '급한 공지'])
    await edit({ memo: '*늦은* 공지' })
    expect(await shown()).toEqual(['*늦은* 공지', 'markdown', '늦은 공지'])
    await edit({ memoFormat: 'plain' })
    expect(await shown()).toEqual(['**급한** 공지', 'plain', null])
    const { status, code } = await edit({ memoFormat: 'html' as never })
    expect([status, code]).toEqual([400, 'INPUT_INVALID'])
  })

  test.each([
    ['# 제목\n\n**중요** 공지입니다.\n둘째 줄', '제목\n중요 공지입니다.\n둘째 줄'],
    ['- [규정](https://a.kr)을 본다\n- `npm` 실행', '규정을 본다\nnpm 실행'],
    ['| 항목 | 금액 |\n| --- | --- |\n| 식대 | 10 |', '항목 금액\n식대 10'],
    ['> 인용\n\n```\n코드 1\n```\n\n---\n\n![그림 설명](/a.png)', '인용\n코드 1\n그림 설명'],
    ['<b>그대로</b> \\*별\\*', '<b>그대로</b> *별*'],
  ])('reads without its signs: %j as %j', (text, words) => {
    expect(withoutSigns(text)).toBe(words)
  })

  test('stores no text for a body of nothing but markup, yet finds it in searches', () => {
    const long = `${'**중요** 공지입니다.\n'.repeat(1_000)}끝`
    expect(writtenMemo(long, 'markdown').memoText).toBe(withoutSigns(long))
    for (const sign of ['[', '**가', '1) a\n', '\\'])
      expect(writtenMemo(sign.repeat(8_001), 'markdown')).toMatchObject({ memoText: null })
  })

  test('is read at once where it was made to be hard to read', () => {
    for (const text of ['[', '![', '*a ', '***a** ', '> ', '- ', '`', '|a|b|\n|-|-|\n', '\\', '<a '].map(
      many,
    )) {
      // Measure this thread only: other load on the machine does not count.
      const begun = process.threadCpuUsage()
      withoutSigns(text)
      // Other readers of Markdown take minutes, or end with the stack.
      expect(process.threadCpuUsage(begun).user, text.slice(0, 10)).toBeLessThan(5_000_000)
    }
  })
})

describe('the search of texts and file names (rules/notices#notice-search)', () => {
  test('finds text without its Markdown characters, alone or with titles and authors', async () => {
    const author = await maru.createUser({ name: '유작성' })
    const reader = await maru.createUser({ role: 'user' })
    const write = async (title: string, memo: string, more = {}) =>
      (await maru.call(createNotice, { bulletCode: 'BE0001', title, memo, ...more }, author)).data.noticeId
    await write('가', '**연차** 사용 _계획_ 제출', { memoFormat: 'markdown' })
    await write('나', '**연차** 사용')
    const withFile = await write('다', '')
    await write('라', '연차 예약', { publishAt: '2099-01-01 09:00' })
    await write('연차 마', 'VPN 100% 점검_안내')
    await maru.database.pool.query(
      `insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes)
       values (gen_random_uuid(), $1, '2026/11', 'x', '연차 사용 계획 Ⅱ.PDF', 1)`,
      [withFile],
    )
    const found = async (memo: string, more = {}) => {
      const { data } = await maru.call(listNotices, { searchType: '내용', memo, ...more }, reader)
      expect(data.totalCount).toBe(data.notices.length)
      return data.notices.map(({ title }) => title).toReversed()
    }
    expect(await found('연차')).toEqual(['가', '나', '다'])
    expect(await found('연차 사용 계획')).toEqual(['가', '다'])
    expect(await found('차')).toEqual(['가', '나', '다'])
    expect(await found('**연차**')).toEqual(['나'])
    expect(await found('.pdf')).toEqual(['다'])
    expect(await found('vpn')).toEqual(['연차 마'])
    expect(await found('0% 점')).toEqual(['연차 마'])
    for (const text of ['용사', '점검 안내', '차 계', '___']) expect(await found(text), text).toEqual([])
    expect(await found('연차', { searchType: '통합검색', title: '연차' })).toEqual([
      '가',
      '나',
      '다',
      '연차 마',
    ])
    expect(await found('없음', { searchType: '통합검색', author: '유작성' })).toHaveLength(4)
    expect(await found('연차', { searchType: '제목', title: '연차' })).toEqual(['연차 마'])
  })
})
