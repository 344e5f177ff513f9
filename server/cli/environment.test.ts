import { expect, test } from 'vitest'
import { reasonOf } from './environment.ts'

test('a full disk is told in one line, wherever the start or a command meets it (rules/running#start-refusal)', () => {
  const full = Object.assign(new Error('could not write init file: No space left on device'), {
    code: '53100',
  })
  expect(reasonOf(full)).toBe(
    'A disk is full (could not write init file: No space left on device): free at least 200 MB and try again. Nothing was lost.',
  )
  expect(reasonOf(new Error('a defect'))).toContain('environment.test.ts')
})
