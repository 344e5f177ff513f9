import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from './index.ts'
import { ERRORS } from './errors.ts'
import { line, phoneNumber, userId } from './fields.ts'
import { en } from './messages/en.ts'
import { ko } from './messages/ko.ts'
import { updateUser } from './users.ts'
import { describeIssue, validationText } from './validation.ts'

function describeFirst(schema: z.ZodMiniType, value: unknown, messages = ko) {
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue === undefined) throw new Error('nothing is wrong')
  return describeIssue(messages, issue)
}

describe('the message about a wrong input', () => {
  const form = z.strictObject({ userId, position: line(5), phoneNumber })
  const good = { userId: 'kim.minsu', position: '과장', phoneNumber: '01012345678' }

  test('names the field once, as people call it', () => {
    expect(describeFirst(form, { ...good, position: '' })).toEqual({
      field: 'position',
      msg: '직급: 필수 입력 항목입니다.',
    })
    expect(describeFirst(form, { ...good, position: '' }, en)).toEqual({
      field: 'position',
      msg: 'Position: This field is required.',
    })
    expect(describeFirst(form, { ...good, userId: '?' }).msg).toBe(
      '아이디는 영문 소문자, 숫자, . _ - 로 4~20자를 입력해주세요.',
    )
  })

  test('has its fixed text for a phone number (rules/users#phone-number)', () => {
    expect(describeFirst(form, { ...good, phoneNumber: '1' }).msg).toBe(
      '전화번호는 11자리의 숫자만 적어주세요.',
    )
    expect(describeFirst(form, { ...good, phoneNumber: '1' }, en).msg).toContain(
      'Enter the phone number with digits only, 11 digits.',
    )
  })

  test('contains the limit', () => {
    expect(describeFirst(form, { ...good, position: '여섯글자직급' }).msg).toBe(
      '직급: 5자까지 입력할 수 있습니다.',
    )
  })

  test('is about the first wrong field in the order of the form', () => {
    expect(describeFirst(form, { ...good, position: '', phoneNumber: '' }).field).toBe('position')
  })

  test('names the field that a rule of several fields points at', () => {
    const input = {
      originalUserId: 'kim.minsu',
      affiliationCode: 'BEL001',
      name: '김',
      email: 'a@b.kr',
      ...good,
      approvalCode: 'MEMAP001',
    }
    expect(describeFirst(updateUser.input, input)).toEqual({
      field: 'approvalCode',
      msg: '승인 여부: 관리자 입력 항목을 모두 입력해주세요.',
    })
  })

  test.each([[null], [[]], ['text'], [1]])('names no field for a body that is %j', (whole) => {
    expect(describeFirst(form, whole)).toEqual({ field: undefined, msg: '올바른 형식이 아닙니다.' })
  })

  test('does not repeat an unknown field, which is the caller’s text', () => {
    expect(describeFirst(form, { ...good, '<script>': 1 })).toEqual({
      field: undefined,
      msg: '알 수 없는 항목입니다.',
    })
  })

  test('is given back as it is when it is no key of the catalogue', () => {
    expect(validationText(ko, '한글 안내')).toBe('한글 안내')
    expect(validationText(ko, 'toString')).toBe('toString')
    expect(validationText(ko, 'constructor')).toBe('constructor')
  })
})

describe('the catalogues (rules/frame#catalogue)', () => {
  const fields = new Set(
    endpoints.flatMap(({ endpoint }) => Object.keys((endpoint.input as z.ZodMiniObject).shape)),
  )

  test('name every field of the wire in both languages', () => {
    for (const field of fields) {
      expect.soft(Object.keys(ko.fields), field).toContain(field)
      expect.soft(Object.keys(en.fields), field).toContain(field)
    }
  })

  test('have a sentence in each language for every refusal', () => {
    for (const code of Object.keys(ERRORS) as (keyof typeof ERRORS)[]) {
      expect.soft(ko.errors[code], code).toMatch(/\p{Script=Hangul}.*[.]$/u)
      expect.soft(en.errors[code], code).toMatch(/^[A-Z][\x20-\x7e]+[.]$/)
    }
  })

  test('keep the fixed words of failures (rules/frame#server-failure)', () => {
    expect(ko.errors).toMatchObject({
      UNEXPECTED: '관리자에게 문의해주세요.',
      SESSION_REQUIRED: '로그인을 다시 해주세요.',
      FORBIDDEN: '권한이 없습니다.',
      FUNCTION_DENIED: '권한이 없습니다.',
    })
    expect(en.errors).toMatchObject({
      UNEXPECTED: 'Please contact the administrator.',
      SESSION_REQUIRED: 'Please log in again.',
      FORBIDDEN: 'You do not have permission.',
      FILE_NOT_FOUND: 'The file does not exist. Please re-register.',
    })
  })
})

test('refuses with 400 for every rule but the listed exceptions (rules/wire#statuses)', () => {
  const others = Object.fromEntries(Object.entries(ERRORS).filter(([, status]) => status !== 400))
  expect(others).toEqual({
    SESSION_REQUIRED: 401,
    SESSION_MOVED: 401,
    ADDRESS_REFUSED: 401,
    SERVICE_TOKEN_REQUIRED: 401,
    PROGRAM_TOKEN_REQUIRED: 401,
    SCIM_TOKEN_REQUIRED: 401,
    SCIM_PROVIDER_OFF: 403,
    SCIM_STOPPED: 429,
    PROGRAM_TOKEN_SCOPE: 403,
    FORBIDDEN: 403,
    INCIDENT_LIFT: 403,
    NOTICE_MARKED: 403,
    CROSS_SITE: 403,
    PASSWORD_CHANGE_REQUIRED: 403,
    FACTOR_SETUP_REQUIRED: 403,
    PRIVACY_ACCEPTANCE_REQUIRED: 403,
    PATH_NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    PAYLOAD_TOO_LARGE: 413,
    CONTENT_TYPE_UNSUPPORTED: 415,
    FILE_TOO_LARGE: 413,
    PICTURE_TOO_LARGE: 413,
    TOO_MANY_TRIES: 429,
    TOO_MANY_CALLS: 429,
    NOTICES_TOO_MANY: 429,
    COMMENTS_TOO_MANY: 429,
    COLLEAGUES_TOO_MANY: 429,
    LOGIN_LOCKED: 429,
    SECOND_FACTOR_LOCKED: 429,
    UNEXPECTED: 500,
    UNAVAILABLE: 503,
    DISK_FULL: 503,
    RANGE_INVALID: 416,
    REMINDED_ALREADY: 429,
    UPLOAD_OFFSET: 409,
    UPLOAD_BUSY: 423,
    EXPORT_BUSY: 429,
  })
})
