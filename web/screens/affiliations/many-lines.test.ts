import { expect, test } from 'vitest'
import { asLines, readLines } from './many-lines.ts'

test('lines are divided by tabs or commas, and blank ones keep their number (rules/affiliations#several-at-once)', async () => {
  expect(await readLines('부산지사, Busan branch\n\n대전지사\t\tDJ-01\n"A, B",')).toEqual({
    rows: [
      { name: '부산지사', nameEn: 'Busan branch', partnerCode: '', provinceName: '', districtName: '' },
      { name: '대전지사', nameEn: '', partnerCode: 'DJ-01', provinceName: '', districtName: '' },
      { name: 'A, B', nameEn: '', partnerCode: '', provinceName: '', districtName: '' },
    ],
    lines: [1, 3, 4],
  })
})

test('takes the columns from a first line of headings, in either language', async () => {
  const text = asLines([
    ['영문 이름', '비고', 'Korean name'],
    ['Busan', 'x', '부산\n지사'],
  ])
  expect(await readLines(text)).toEqual({ rows: [{ nameEn: 'Busan', name: '부산 지사' }], lines: [2] })
})
