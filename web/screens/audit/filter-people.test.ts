import { expect, test } from 'vitest'
import { ALL_PEOPLE, filterPeople } from './filter-people.ts'

const person = (
  name: string,
  userId: string,
  roleName: string,
  decision: '' | 'CONFIRMED' | 'WITHDRAWN',
) => ({
  name,
  userId,
  roleName,
  decision,
})
const people = [
  person('김하나', 'hana.kim', '관리자', 'CONFIRMED'),
  person('이두리', 'duri.lee', '인사 관리자', ''),
  person('박세찌', 'SEJJI.park', '관리자', 'WITHDRAWN'),
  person('최네찌', 'nejji.choi', '관리자', ''),
]
const found = (narrowing: Partial<typeof ALL_PEOPLE>) =>
  filterPeople(people, { ...ALL_PEOPLE, ...narrowing }).map(({ userId }) => userId)

test('filters a review by name, ID, role and open decisions, which come first (rules/audit#review)', () => {
  expect(found({})).toEqual(['duri.lee', 'nejji.choi', 'hana.kim', 'SEJJI.park'])
  expect(found({ text: ' 찌' })).toEqual(['nejji.choi', 'SEJJI.park'])
  expect(found({ text: 'sejji' })).toEqual(['SEJJI.park'])
  expect(found({ roleName: '관리자' })).toEqual(['nejji.choi', 'hana.kim', 'SEJJI.park'])
  expect(found({ roleName: '관리자', openOnly: true })).toEqual(['nejji.choi'])
  expect(found({ text: '김하나', openOnly: true })).toEqual([])
  expect(people.map(({ userId }) => userId)[0]).toBe('hana.kim')
})
