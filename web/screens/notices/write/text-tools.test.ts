import { describe, expect, test } from 'vitest'
import type { Edit } from '../../../ui/replace-text.ts'
import { editOf, picturesEdit, type Tool, withoutPicture } from './text-tools.ts'

const WORDS = { text: '글', link: '이름', column: '제목', cell: '내용' }

/** Applies a tool to a text. The brackets « » mark the selection, before and after. */
function pressed(tool: Tool, marked: string): string {
  const start = marked.indexOf('«')
  const end = marked.indexOf('»') - 1
  const text = marked.replaceAll(/[«»]/g, '')
  const edit = editOf(tool, { text, start, end }, WORDS)
  const after = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  return `${after.slice(0, edit.start)}«${after.slice(edit.start, edit.end)}»${after.slice(edit.end)}`
}

/** Applies an edit and marks the selection afterwards with angle brackets. */
function edited(text: string, { from, to, insert, start, end }: Edit): string {
  const result = text.slice(0, from) + insert + text.slice(to)
  return `${result.slice(0, start)}<${result.slice(start, end)}>${result.slice(end)}`
}

describe('a tool of the text (rules/notices#toolbar)', () => {
  test.each<[Tool, string, string]>([
    ['bold', '오늘 «점검»을 합니다', '오늘 **«점검»**을 합니다'],
    ['bold', '오늘 **«점검»**을 합니다', '오늘 «점검»을 합니다'],
    ['bold', '오늘 «**점검**»을', '오늘 «점검»을'],
    ['bold', '오늘 « 점검 »을', '오늘  **«점검»** 을'],
    ['bold', '«첫 줄\n\n둘째»', '«**첫 줄**\n\n**둘째**»'],
    ['bold', '끝«»', '끝**«글»**'],
    ['italic', '«점검»', '*«점검»*'],
    ['italic', '**«점검»**', '***«점검»***'],
    ['strike', '오늘 «점검»을', '오늘 ~~«점검»~~을'],
    ['strike', '오늘 ~~«점검»~~을', '오늘 «점검»을'],
    ['strike', '오늘 «~~점검~~»을', '오늘 «점검»을'],
    ['code', '«npm»을', '`«npm»`을'],
    ['code', '`«npm»`을', '«npm»을'],
    ['heading', '앞\n안«»내\n뒤', '앞\n## 안내«»\n뒤'],
    ['heading', '### 안«»내', '안내«»'],
    ['list', '«하나\n둘»\n셋', '«- 하나\n- 둘»\n셋'],
    ['list', '«- 하나\n- 둘»', '«하나\n둘»'],
    ['list', '«하나\n»둘', '- 하나«»\n둘'],
    ['numbers', '«하나\n둘»', '«1. 하나\n2. 둘»'],
    ['quote', '«»', '> «»'],
    ['link', '«규정»을', '[규정](«https://»)을'],
    ['link', '«https://a.kr/b»', '[«이름»](https://a.kr/b)'],
    ['link', '«»', '[이름](«https://»)'],
  ])('%s makes %j into %j', (tool, from, to) => {
    expect(pressed(tool, from)).toBe(to)
  })

  test('puts a table into lines of its own', () => {
    expect(pressed('table', '앞«»\n뒤')).toBe(
      '앞\n\n| «제목 1» | 제목 2 |\n| --- | --- |\n| 내용 | 내용 |\n\n뒤',
    )
  })
})

describe('pictures (rules/notices#inserting-pictures)', () => {
  const one = [{ words: '배치도', name: 'abcdefghi1' }]
  test('puts images into lines of their own and the caret behind them or in the text', () => {
    const put = (text: string, isToBeNamed = false, pictures = one) => {
      const at = text.indexOf('|')
      const plain = text.replace('|', '')
      return edited(plain, picturesEdit({ text: plain, start: at, end: at }, pictures, isToBeNamed))
    }
    expect(put('|')).toBe('![배치도](image:abcdefghi1)\n\n<>')
    expect(put('앞|')).toBe('앞\n\n![배치도](image:abcdefghi1)\n\n<>')
    expect(put('앞\n|\n뒤')).toBe('앞\n\n![배치도](image:abcdefghi1)\n<>\n뒤')
    expect(put('|', true)).toBe('![<배치도>](image:abcdefghi1)\n\n')
    const two = [...one, { words: '둘', name: 'abcdefghi2' }]
    expect(put('|', true, two)).toBe('![배치도](image:abcdefghi1)\n\n![둘](image:abcdefghi2)\n\n<>')
  })

  test('are taken out by their name, whatever their words have become', () => {
    const text = '앞\n\n![새 글 *a*](image:abcdefghi1 "b")\n\n![둘](image:abcdefghi2)\n뒤'
    expect(edited(text, withoutPicture(text, 'abcdefghi1')!)).toBe('앞\n\n<>![둘](image:abcdefghi2)\n뒤')
    expect(edited(text, withoutPicture(text, 'abcdefghi2')!)).toBe(
      '앞\n\n![새 글 *a*](image:abcdefghi1 "b")\n\n<>뒤',
    )
    expect(withoutPicture(text, 'abcdefghi3')).toBeUndefined()
  })
})
