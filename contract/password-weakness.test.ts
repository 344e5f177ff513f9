import { convertHangulToQwerty } from 'es-hangul'
import { describe, expect, test } from 'vitest'
import { commonKorean } from './common-korean-passwords.ts'
import { passwordWeakness } from './password-weakness.ts'

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

describe('words typed on the other keyboard, Korean or Latin', () => {
  test.each([
    ['tkfkdgodyd1!', '사랑해용', null],
    ['tkfkdgody1!', '사랑해요', 'PASSWORD_COMMON'],
    ['Dkssudgktpdy2026!', '안녕하세요', 'PASSWORD_COMMON'],
    ['rksfkek12!', '갈나다', null],
    ['rkskek12!', '가나다', 'PASSWORD_COMMON'],
    ['WKDRN1234!', '짱구, all with shift', 'PASSWORD_COMMON'],
    ['eogksalsrnr88!', '대한민국', 'PASSWORD_COMMON'],
    ['!rhksflwk1', '관리자', 'PASSWORD_COMMON'],
    ['ㅔㅁㄴㄴ잭ㅇ1!', 'password', 'PASSWORD_COMMON'],
    ['ㅇㄱㅁ해ㅜ2026!', 'dragon', 'PASSWORD_COMMON'],
    ['뭏ㄷㅣ1!', 'angel', 'PASSWORD_COMMON'],
    ['홍길동2026!', '홍길동', 'PASSWORD_COMMON'],
    ['ㅎㅑㅣ애ㅜㅎ.ㅗㅐㅜㅎ-9', 'the person’s own ID gildong.hong', 'PASSWORD_PERSONAL'],
  ])('%s (%s): %s', (password, _word, weakness) => {
    expect(passwordWeakness(password, person)).toBe(weakness)
  })

  test.each(commonKorean)('%s is common, as it is and on a Latin keyboard', (word) => {
    expect(word).toMatch(/^\p{Script=Hangul}+$/u)
    expect(passwordWeakness(`${word}1!`, person)).toBe('PASSWORD_COMMON')
    expect(passwordWeakness(`${convertHangulToQwerty(word)}1!`, person)).toBe('PASSWORD_COMMON')
  })

  test('has a word list without repeats', () => {
    expect(new Set(commonKorean).size).toBe(commonKorean.length)
  })
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
  '%s is strong enough',
  (password) => {
    expect(passwordWeakness(password, person)).toBeNull()
  },
)

test('ignores personal parts shorter than four characters', () => {
  const short = { userId: 'kim1', phoneNumber: '', email: 'kim@maru.example' }
  expect(passwordWeakness('kim-푸른바다-7', short)).toBeNull()
  expect(passwordWeakness('KIM1-푸른바다-7', short)).toBe('PASSWORD_PERSONAL')
})
