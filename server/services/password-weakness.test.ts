import { expect, test } from 'vitest'
import { passwordWeakness, temporaryPassword } from './password.ts'

const person = { userId: 'gildong.hong', phoneNumber: '01012345678', email: 'honggd@maru.example' }

test.each([
  'password',
  'Password1!',
  'p@ssw0rd',
  'P@ssw0rd1!',
  '!qwer1234',
  'qwer1234!',
  '1q2w3e4r!',
  'Dragon2026!',
  '비밀번호1234!',
  'tkfkdgo123!',
])('%s is common', (password) => {
  expect(passwordWeakness(password, person)).toBe('PASSWORD_COMMON')
})

test.each([
  'x-GilDong.Hong-9',
  'HONGGD!2891kp',
  'tel01012345678!',
  '010-1234-5678x',
  '12345678-초록별',
  '１２３４５６７８-초록별',
])('%s is personal', (password) => {
  expect(passwordWeakness(password, person)).toBe('PASSWORD_PERSONAL')
})

test.each(['푸른-바다-7고래', 'maru-7drizzle-kite', '5678-초록별-나무', 'gildong-산마루-31'])(
  '%s is good',
  (password) => {
    expect(passwordWeakness(password, person)).toBeNull()
  },
)

test('parts shorter than four characters are ignored', () => {
  const short = { userId: 'kim1', phoneNumber: '', email: 'kim@maru.example' }
  expect(passwordWeakness('kim-푸른바다-7', short)).toBeNull()
  expect(passwordWeakness('KIM1-푸른바다-7', short)).toBe('PASSWORD_PERSONAL')
})

test('a temporary password is never weak', () => {
  for (let round = 0; round < 500; round += 1)
    expect(passwordWeakness(temporaryPassword(), person)).toBeNull()
})
