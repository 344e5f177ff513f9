import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import {
  anyPassword,
  anyText,
  areSameText,
  code,
  codeFilter,
  date,
  datesInOrder,
  email,
  filter,
  line,
  lineOrEmpty,
  multiline,
  newPassword,
  optionalDate,
  optionalEndDate,
  paging,
  partnerCode,
  anyPhoneNumber,
  phoneNumber,
  recordId,
  userId,
} from './fields.ts'

/** Returns the value of a field as the server receives it, or the key of the first message. */
function read(schema: z.ZodMiniType, value: unknown): unknown {
  const result = schema.safeParse(value)
  return result.success ? { is: result.data } : result.error.issues[0]?.message
}
const is = (value: unknown) => ({ is: value })

describe('a user ID has 4 to 20 of a-z 0-9 . _ - and is kept in lower case (rules/users#user-id)', () => {
  test.each(['abcd', 'a.b_c-9', '1234', 'a'.repeat(20)])('%s is accepted', (id) => {
    expect(read(userId, id)).toEqual(is(id))
  })
  test('capitals are lowered and outer spaces removed', () => {
    expect(read(userId, ' Kim.MinSu ')).toEqual(is('kim.minsu'))
  })
  test.each(['abc', 'a'.repeat(21), 'a b c', '홍길동입니다', 'a@b.c', 'abc\n', 'ＡＢＣＤ', 'ab/cd'])(
    'rejects %j',
    (id) => {
      expect(read(userId, id === 'abc\n' ? 'ab\ncd' : id)).toBe('userIdFormat')
    },
  )
})

describe('a phone number has exactly 11 digits everywhere (rules/users#phone-number)', () => {
  test.each([
    '01012345678',
    ' 010-1234-5678 ',
    '010 1234 5678',
    '010.1234.5678',
    '010–1234–5678',
    '(010) 1234-5678',
    '+82 10-1234-5678',
    '+82 (0)10 1234 5678',
    '+8201012345678',
    '0082 10 1234 5678',
    '821012345678',
  ])('%s is taken as 01012345678', (text) => expect(read(phoneNumber, text)).toEqual(is('01012345678')))
  test.each([
    '0101234567',
    '-',
    '+82 2-123-4567',
    '+1 010-1234-5678',
    '010/1234/5678',
    '010-****-5678',
    '010-1234-56789',
    '010123456789',
    '010-1234-567',
    '+8210123456',
    '０１０１２３４５６７８',
    '0101234567a',
  ])('%s is rejected', (text) => {
    expect(read(phoneNumber, text)).toBe('phoneNumberFormat')
  })
})

describe('anyPhoneNumber (rules/users#landlines)', () => {
  test.each([
    ['02-123-4567', '021234567'],
    ['+82 2-123-4567', '021234567'],
    ['0082 (0)31 123 4567', '0311234567'],
    ['+82 10-1234-5678', '01012345678'],
    ['821012345678', '01012345678'],
  ])('takes %s as %s', (text, digits) => expect(read(anyPhoneNumber, text)).toEqual(is(digits)))
  test.each(['12345678', '123456789', '1588-1234', '02-12-345', '+1 212-555-0100', '010-1234-56789'])(
    'rejects %s',
    (text) => expect(read(anyPhoneNumber, text)).toBe('phoneNumberFormat'),
  )
})

describe('an e-mail', () => {
  test('is kept in lower case', () => expect(read(email, ' Kim@Example.COM ')).toEqual(is('kim@example.com')))
  test.each([
    'kim',
    'kim@',
    '@example.com',
    'kim@example',
    'a b@example.com',
    'a@b@c.com',
    'kim@example.com\nBcc: x@y.com',
    'kim..lee@example.com',
    '"kim"@example.com, lee@example.com',
  ])('rejects %j', (text) => {
    expect(read(email, text)).toBe('emailFormat')
  })
  test('has at most 254 characters', () => {
    expect(read(email, `${'a'.repeat(250)}@b.kr`)).toBe('tooLong|254')
  })
})

describe('a new password has 8 to 128 characters: two kinds from 10 on, else all three (rules/account#password-rules)', () => {
  test.each([
    ['Ab1!xyz', 'passwordTooShort'],
    ['abcdefg!', 'passwordTooSimple'],
    ['abcdef12', 'passwordTooSimple'],
    ['abcdefghi', 'passwordTooSimple'],
    ['abcdefghij', 'passwordTooSimple'],
    ['1234567890', 'passwordTooSimple'],
    ['!@#$%^&*()', 'passwordTooSimple'],
    [`Aa1!${'x'.repeat(125)}`, 'tooLong|128'],
    ['good-pass\u0000word1', 'controlCharacter'],
    ['good-pass\nword1', 'controlCharacter'],
    ['', 'required'],
  ])('rejects %j as %s', (password, message) => {
    expect(read(newPassword, password)).toBe(message)
  })
  test.each([
    'abcde12!',
    'abcdefgh12',
    'abcdefghi!',
    '12345678!!',
    '비밀번호입니다만1!',
    `Aa1!${'x'.repeat(124)}`,
    ' spaces count 1 ',
  ])('accepts %j', (password) => {
    expect(read(newPassword, password)).toEqual(is(password))
  })
  test('treats composed and decomposed Korean as the same password', () => {
    expect(read(newPassword, '우리마루-2026'.normalize('NFD'))).toEqual(is('우리마루-2026'))
    expect(read(anyPassword, '우리마루-2026'.normalize('NFD'))).toEqual(is('우리마루-2026'))
  })
  test('applies no rule for new passwords to an existing one', () => {
    expect(read(anyPassword, 'short')).toEqual(is('short'))
    expect(read(anyPassword, ' x ')).toEqual(is(' x '))
    expect(read(anyPassword, '')).toBe('required')
    expect(read(anyPassword, 'x'.repeat(129))).toBe('tooLong|128')
  })
})

describe('a date is a day that exists from 1900-01-01 to 2099-12-31 (rules/frame#dates)', () => {
  test.each(['1900-01-01', '2099-12-31', '2024-02-29'])('%s is accepted', (day) =>
    expect(read(date, day)).toEqual(is(day)),
  )
  test.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    '2026/01/01',
    '2026-01-01T00:00:00Z',
    '２０２６-01-01',
    ' 2026-01-01',
  ])('%s is rejected', (text) => {
    expect(read(date, text)).toBe('dateFormat')
  })
  test.each(['1899-12-31', '2100-01-01'])('%s is out of bounds', (text) =>
    expect(read(date, text)).toBe('dateOutOfBounds'),
  )
  test('allows an optional date to be empty or missing', () => {
    expect(read(optionalDate, '')).toEqual(is(''))
    expect(read(optionalDate, undefined)).toEqual(is(''))
    expect(read(optionalDate, '2026-02-30')).toBe('dateFormat')
    expect(read(optionalDate, null)).toBe('dateFormat')
  })
  test('stores an end date with a time as the day (rules/partners#partner-validity)', () => {
    expect(read(optionalEndDate, '2026-12-31 23:59:59')).toEqual(is('2026-12-31'))
    expect(read(optionalEndDate, '2026-12-31')).toEqual(is('2026-12-31'))
    expect(read(optionalEndDate, undefined)).toEqual(is(''))
    for (const wrong of ['2026-12-31 00:00:00', ' 23:59:59x', '2026-12-31 23:59:59 23:59:59']) {
      expect(read(optionalEndDate, wrong)).toBe('dateFormat')
    }
  })
})

describe('a partner code has 2 to 30 of A-Z 0-9 - _ and is kept in upper case (rules/partners#partner-code)', () => {
  test('converts lower-case letters to upper case', () =>
    expect(read(partnerCode, ' ab-1_z ')).toEqual(is('AB-1_Z')))
  test.each(['A', 'A'.repeat(31), 'A B', '파트너', 'A.B', 'A/B'])('rejects %j', (text) => {
    expect(read(partnerCode, text)).toBe('partnerCodeFormat')
  })
})

describe('text', () => {
  test('is trimmed and composed on a single line', () => {
    expect(read(line(5), ` ${'가나'.normalize('NFD')} `)).toEqual(is('가나'))
  })
  test('is missing when blank or left out, and of the wrong type when not a string', () => {
    expect(read(line(5), '  ')).toBe('required')
    expect(read(line(5), undefined)).toBe('required')
    expect(read(line(5), 5)).toBe('notText')
    expect(read(line(5), null)).toBe('notText')
  })
  test('is measured after composing', () => {
    expect(read(line(2), '가나'.normalize('NFD'))).toEqual(is('가나'))
    expect(read(line(2), '가나다')).toBe('tooLong|2')
  })
  test.each([
    'a\u0000b',
    'a\nb',
    'a\tb',
    'a\u001bb',
    'a\u007fb',
    'a\u0085b',
    'a\u2028b',
    'a\ud800b',
    'a\udc00b',
    'a\ufffeb',
    'a\uffffb',
    'a\ufdd0b',
    'a\u{1ffff}b',
  ])('rejects %j on a single line', (text) => {
    expect(read(line(50), text)).toBe('controlCharacter')
    expect(read(filter(), text)).toBe('controlCharacter')
  })
  test.each([
    '관리\u200b자',
    'fdp\u202eexe',
    'a\u2066b',
    'a\ufeffb',
    '\u3164',
    '가\u115f',
    'a\u00adb',
    'a\u{e0041}b',
    '관리자\u200d',
    '관\ufe01리자',
    '홍\ufe0f길동',
    '\u200d',
  ])('rejects %j, of which a part cannot be seen, on a single line', (text) => {
    expect(read(line(50), text)).toBe('unseenCharacter')
    expect(read(lineOrEmpty(50), text)).toBe('unseenCharacter')
    expect(read(multiline(50), text)).toEqual(is(text))
  })
  test.each(['👩‍👩‍👧‍👦', '❤️', '👩🏽‍💻', '🏳️‍🌈', '1️⃣', '漢字', 'ﾊﾝｶｸ', 'O’Neill', '<b>', `'; --`, '%_\\'])(
    'accepts %s',
    (text) => {
      expect(read(line(50), text)).toEqual(is(text.normalize('NFC')))
    },
  )
  test('keeps line breaks as \\n on several lines and rejects other control characters', () => {
    expect(read(multiline(50), 'a\r\nb\n\tc ')).toEqual(is('a\nb\n\tc '))
    expect(read(multiline(50), '')).toEqual(is(''))
    for (const text of ['a\u0000b', 'a\rb', 'a\u0007b', 'a\ud800b', 'a\ufffeb']) {
      expect(read(multiline(50), text)).toBe('controlCharacter')
    }
    expect(read(multiline(3), 'abcd')).toBe('tooLong|3')
  })
})

/** Returns the milliseconds that repeated checks of a text take. */
const timeOf = (text: string) => {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    for (let i = 0; i < 500; i += 1) read(anyText(300), text)
    return performance.now() - start
  })
  return Math.min(...times)
}

describe('text that takes long to compose', () => {
  const fields = {
    line: line(50),
    filter: filter(),
    multiline: multiline(50),
    anyText: anyText(50),
    anyPassword,
    newPassword,
  }

  test.each(Object.entries(fields))('is rejected by %s before it is composed', (_, schema) => {
    const composing = vi.spyOn(String.prototype, 'normalize')
    expect(read(schema, '\u0301\u0327'.repeat(16))).toBe('tooManyMarks')
    expect(read(schema, `a\u0301${'가'.repeat(600)}`)).toMatch(/^tooLong/)
    expect(composing).not.toHaveBeenCalled()
    composing.mockRestore()
  })

  test('refuses over 30 combining marks in a row, or characters that compose too long', () => {
    const most = `a${'\u0316'.repeat(30)}`
    expect(read(line(50), most)).toEqual(is(most))
    expect(read(line(1), 'ᾂ'.normalize('NFD'))).toEqual(is('ᾂ'))
    expect(read(line(1), 'ᾂ')).toEqual(is('ᾂ'))
  })

  test('takes no longer to check than as many accented letters', () => {
    // Counting from every mark instead of the first took 20 times as long.
    expect(timeOf(`a${'\u0301'.repeat(30)}`.repeat(9))).toBeLessThan(4 * timeOf('e\u0301'.repeat(140)))
  })

  test('is compared without composing it', () => {
    expect(areSameText('한글'.normalize('NFD'), '한글')).toBe(true)
    const marks = '\u0301'.repeat(200_000) + '\u0327'.repeat(200_000)
    expect(areSameText(marks, marks)).toBe(true)
    expect(areSameText(marks, 'a')).toBe(false)
  })
})

describe('filters (rules/lists#filters)', () => {
  test('matches everything for an empty, blank or missing filter', () => {
    for (const none of [undefined, '', '  ']) expect(read(filter(), none)).toEqual(is(''))
  })
  test('matches everything for ALL as a code, but takes it literally as a name', () => {
    for (const none of [undefined, '', 'ALL', ' ALL ']) expect(read(codeFilter(), none)).toEqual(is(''))
    expect(read(codeFilter(), 'BEL001')).toEqual(is('BEL001'))
    expect(read(filter(), 'ALL')).toEqual(is('ALL'))
  })
})

describe('a page number starts at 1 and a page has 1 to 100 rows (rules/lists#paging)', () => {
  const page = z.strictObject(paging(5))
  test('defaults to the first page at the list’s own size', () =>
    expect(read(page, {})).toEqual(is({ page: 1, perPage: 5 })))
  test.each([
    [{ page: 0 }, 'numberRange|1~1000000000'],
    [{ perPage: 101 }, 'numberRange|1~100'],
    [{ perPage: 0 }, 'numberRange|1~100'],
    [{ page: 1.5 }, 'notNumber'],
    [{ page: '1' }, 'notNumber'],
    [{ page: null }, 'notNumber'],
    [{ page: Number.NaN }, 'notNumber'],
  ])('rejects %j', (input, message) => expect(read(page, input)).toBe(message))
})

test('accepts codes and record numbers in the form that the server gives them', () => {
  expect(read(code, 'BEL001')).toEqual(is('BEL001'))
  for (const wrong of ['a b', 'x'.repeat(41), '%', '한글']) expect(read(code, wrong)).toBe('codeFormat')
  expect(read(recordId, '12')).toEqual(is('12'))
  for (const wrong of ['0', '01', '-1', '1.5', '1e3', '9'.repeat(19), 'x'])
    expect(read(recordId, wrong)).toBe('recordIdFormat')
})

test.each(
  Object.entries({
    userId,
    phoneNumber,
    anyPhoneNumber,
    email,
    newPassword,
    date,
    partnerCode,
    code,
    recordId,
    line: line(50),
    filter: filter(),
  }),
)('checks a million characters of %s quickly', (_, schema) => {
  for (const text of [
    'a'.repeat(1_000_000),
    `a@${'a.'.repeat(500_000)}`,
    `${'가'.repeat(300_000)}!`,
    ' '.repeat(1_000_000),
  ]) {
    // CPU time of this thread only, so that other processes do not affect it.
    const begun = process.threadCpuUsage()
    schema.safeParse(text)
    expect(process.threadCpuUsage(begun).user).toBeLessThan(1_000_000)
  }
})

test('refuses a last day of a partner before the first, and counts the last day (rules/partners#partner-validity)', () => {
  const partner = z.object({ validFrom: z.string(), validTo: z.string() }).check(datesInOrder)
  const isRight = (validTo: string) => partner.safeParse({ validFrom: '2026-05-01', validTo }).success
  expect([isRight('2026-04-30 23:59:59'), isRight('2026-05-01 23:59:59')]).toEqual([false, true])
})

describe('a validity', () => {
  const validity = z.object({ validFrom: optionalDate, validTo: optionalDate }).check(datesInOrder)
  const wrong = (validFrom: string, validTo: string) =>
    validity.safeParse({ validFrom, validTo }).error?.issues.map(({ path, message }) => [path[0], message]) ??
    []

  test('does not end before it starts', () => {
    expect(wrong('2026-03-02', '2026-03-01')).toEqual([['validTo', 'datesOutOfOrder']])
    expect([wrong('2026-03-01', '2026-03-01'), wrong('', '2026-03-01'), wrong('2026-03-01', '')]).toEqual([
      [],
      [],
      [],
    ])
  })

  test.each(['2026-3-2', '2026-02-30', '3000-01-01', 'soon'])(
    'has a correct end if it starts on %s',
    (start) => {
      expect(wrong(start, '2026-03-01').map(([field]) => field)).toEqual(['validFrom'])
      expect(wrong('2026-03-01', start).map(([field]) => field)).toEqual(['validTo'])
    },
  )
})
