import { describe, expect, it } from 'vitest'
import { splitRows, tableOfWrong } from './split-rows.ts'

const ROWS = [
  { line: 2, userId: 'one', name: '하나' },
  { line: 4, userId: 'two', name: '' },
  { line: 5, userId: '=1+1', name: '셋' },
]
const ERRORS = [
  { row: 2, field: 'name', message: '필수 입력 항목입니다.' },
  { row: 2, field: 'userId', message: '중복' },
  { row: 3, field: 'userId', message: '형식' },
] as const

describe('splitRows (rules/users#valid-rows)', () => {
  it('separates the rows by their number in the import, not by their line', () => {
    const { good, wrong } = splitRows(ROWS, ERRORS)
    expect([good.map(({ line }) => line), wrong.map(({ line }) => line)]).toEqual([[2], [4, 5]])
    expect(splitRows(ROWS, []).good).toHaveLength(3)
  })
})

describe('tableOfWrong (rules/users#valid-rows)', () => {
  it('has the columns of the file and all messages of each row with their columns', () => {
    expect(tableOfWrong<'userId' | 'name'>(ROWS, ERRORS, { userId: '아이디', name: '이름' }, '오류')).toEqual(
      [
        ['아이디', '이름', '오류'],
        ['two', '', '이름: 필수 입력 항목입니다. 아이디: 중복'],
        ['=1+1', '셋', '아이디: 형식'],
      ],
    )
  })
})
