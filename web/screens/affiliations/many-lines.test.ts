import { describe, expect, it, test } from 'vitest'
import { asLines, readLines } from './many-lines.ts'

test('lines are divided by tabs or commas, and blank ones keep their number (rules/affiliations#several-at-once)', async () => {
  const none = { nameEn: '', partnerCode: '', provinceName: '', districtName: '', parentName: '' }
  expect(await readLines('부산지사, Busan branch\n\n대전지사\t\tDJ-01\n"A, B",', [])).toEqual({
    rows: [
      { ...none, name: '부산지사', nameEn: 'Busan branch' },
      { ...none, name: '대전지사', partnerCode: 'DJ-01' },
      { ...none, name: 'A, B' },
    ],
    lines: [1, 3, 4],
    unknown: [],
  })
})

test('takes the columns from a first line of headings, in either language', async () => {
  const text = asLines([
    ['영문 이름', '비고', 'Korean name'],
    ['Busan', 'x', '부산\n지사'],
  ])
  expect(await readLines(text, [])).toEqual({
    rows: [{ nameEn: 'Busan', name: '부산 지사' }],
    lines: [2],
    unknown: ['비고'],
  })
})

/** Returns name, English name and parent of each line. */
const parents = async (text: string, present: string[] = []) =>
  (await readLines(text, present)).rows.map(({ name, nameEn, parentName }) => [name, nameEn, parentName])

describe('readLines with parents (rules/affiliations#several-at-once)', () => {
  it('takes them from a column with a usual heading', async () => {
    expect(await parents('소속명\t상위소속\n영남본부\t\n부산지사\t영남본부')).toEqual([
      ['영남본부', undefined, ''],
      ['부산지사', undefined, '영남본부'],
    ])
  })

  it('recognizes them without headings in any column, by the names of other lines and of existing affiliations', async () => {
    expect(await parents('부산지사,영남본부\n영남본부,본사', ['본사'])).toEqual([
      ['부산지사', '', '영남본부'],
      ['영남본부', '', '본사'],
    ])
    expect(await parents('부산지사,Busan,,,,영남본부\n영남본부,Yeongnam')).toEqual([
      ['부산지사', 'Busan', '영남본부'],
      ['영남본부', 'Yeongnam', ''],
    ])
    expect(await parents('부산지사,Busan,영남본부\n영남본부,Yeongnam')).toEqual([
      ['부산지사', 'Busan', '영남본부'],
      ['영남본부', 'Yeongnam', ''],
    ])
  })

  it('takes an English name for no parent, also if it is the Korean one', async () => {
    expect(await parents('IT센터,IT센터\n부산지사,Busan')).toEqual([
      ['IT센터', 'IT센터', ''],
      ['부산지사', 'Busan', ''],
    ])
  })
})
