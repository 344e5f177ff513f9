import { expect, it } from 'vitest'
import { particleOf } from './particles.ts'

it.each([
  ['단말', '을/를', '을'],
  ['회사', '을/를', '를'],
  ['단말 1', '이/가', '이'],
  ['REQ-2', '이/가', '가'],
  ['본사', '으로/로', '로'],
  ['서울', '으로/로', '로'],
  ['부산', '으로/로', '으로'],
  ['단말 7', '으로/로', '로'],
  ['회사'.normalize('NFD'), '은/는', '는'],
  ['MARU', '은/는', '은(는)'],
  ['단말(예비)', '으로/로', '(으)로'],
  ['', '을/를', '을(를)'],
] as const)('chooses for %j of %s the particle %s (rules/frame#languages)', (name, pair, particle) => {
  expect(particleOf(name, pair)).toBe(particle)
})
