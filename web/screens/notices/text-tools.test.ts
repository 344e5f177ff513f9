import { describe, expect, test } from 'vitest'
import { editOf, type Tool } from './text-tools.ts'

const WORDS = { text: '글', link: '이름', column: '제목', cell: '내용' }

/** What a text becomes; brackets of this kind stand around what is chosen, before and after. */
function pressed(tool: Tool, marked: string): string {
  const start = marked.indexOf('«')
  const end = marked.indexOf('»') - 1
  const text = marked.replaceAll(/[«»]/g, '')
  const edit = editOf(tool, { text, start, end }, WORDS)
  const after = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  return `${after.slice(0, edit.start)}«${after.slice(edit.start, edit.end)}»${after.slice(edit.end)}`
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

  test('table stands in lines of its own', () => {
    expect(pressed('table', '앞«»\n뒤')).toBe(
      '앞\n\n| «제목 1» | 제목 2 |\n| --- | --- |\n| 내용 | 내용 |\n\n뒤',
    )
  })
})
