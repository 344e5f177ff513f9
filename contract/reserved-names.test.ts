import { describe, expect, test } from 'vitest'
import { isRunnersId, isRunnersName } from './reserved-names.ts'

describe('what is taken for whoever runs the portal (rules/users#reserved-names)', () => {
  test.each(['admin', 'adm1n', 'a.d-m_i.n', 'adrnin', 'r00t', 'sy5tem', 'administrator', 'rhksflwk', 'maru'])(
    'reserves the ID %s',
    (id) => expect(isRunnersId(id)).toBe(true),
  )
  test.each(['admin.kim', 'kim.minsu', 'marusan', 'roots', 'hong1', 'system2'])('allows the ID %s', (id) =>
    expect(isRunnersId(id)).toBe(false),
  )
  test.each([
    '관리자',
    '시스템 관리자',
    '관 리 자',
    'ADMIN',
    'Ａdmin',
    'аdmin',
    '운영자 김',
    '관리자'.normalize('NFD'),
  ])('reserves the name %s', (name) => expect(isRunnersName(name)).toBe(true))
  test.each(['김민수', '이관리', 'Adam Minsk', '전영자'])('allows the name %s', (name) =>
    expect(isRunnersName(name)).toBe(false),
  )
})
